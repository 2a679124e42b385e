import { printManifest } from "../../src/manifest/print-manifest.ts";
import { digestBridges, sealManifest } from "../../src/manifest/seal-manifest.ts";
import type {
  ManifestBridge,
  ManifestCommand,
  ManifestPrerequisite,
  Payload,
} from "../../src/manifest/types.ts";
import { printLauncher } from "../../src/pack/launcher.ts";
import { printListing } from "../../src/tree/print-listing.ts";
import { type PackPlan, type TestPack, writeControlFiles, writePack } from "./random-pack.ts";

export interface BridgePackOptions {
  /** Command to the text of its executable, which begins with `#!`. */
  readonly commands: Readonly<Record<string, string>>;
  /** Compiled bridge to path and text. */
  readonly bridges?: Readonly<Record<string, { readonly path: string; readonly text: string }>>;
  readonly prerequisites?: Readonly<Record<string, ManifestPrerequisite>>;
}

/** A small sealed pack whose commands really run. Its interpreter stands in for Node and hands over to this one. */
export async function bridgePack(root: string, options: BridgePackOptions): Promise<TestPack> {
  const { commands, bridges = {} } = options;
  const file = (bytes: string) => ({ bytes, executable: true as const });
  const files: PackPlan["files"] = {
    "package-lock.json": { bytes: "{}" },
    "node_modules/node/package.json": { bytes: "{}" },
    "node_modules/node/bin/node": file(`#!/bin/sh\nexec '${process.execPath}' "$@"\n`),
    "provider-assets/pi/linux-x64/asset.txt": { bytes: "an asset" },
    "dist/cli/bridge.cjs": { bytes: "// nothing\n" },
    ...Object.fromEntries(Object.values(bridges).map(({ path, text }) => [path, { bytes: text }])),
    ...Object.fromEntries(
      Object.entries(commands).flatMap(([name, text]) => [
        [`node_modules/${name}/package.json`, { bytes: "{}" }],
        [toExecutable(name), file(text)],
        [
          `node_modules/.bin/${name}`,
          file(printLauncher({ kind: "executable", path: toExecutable(name), env: {} })),
        ],
      ]),
    ),
  };
  const locations = ["node_modules/node", ...Object.keys(commands).map((name) => `node_modules/${name}`)];
  const pack = await writePack(root, { files, directories: [], locations, placed: [] });
  return reseal(pack, toPayload(pack, options));
}

/** Gives a pack another payload, as somebody who can write it could. */
export function reseal(pack: TestPack, payload: Payload): TestPack {
  const manifest = sealManifest({ ...payload, bridgeDigest: digestBridges(payload.bridges) });
  writeControlFiles(pack.root, manifest, printListing(pack.listing.entries));
  printManifest(manifest);
  return { ...pack, manifest };
}

function toPayload({ manifest, listing }: TestPack, options: BridgePackOptions): Payload {
  const digest = (path: string): string => listing.entries.find((one) => one.path === path)?.digest ?? "";
  const file = (path: string) => ({ path, sha256: digest(path) });
  const commands = Object.keys(options.commands).map((name): [string, ManifestCommand] => [
    name,
    { launcher: file(`node_modules/.bin/${name}`), executable: file(toExecutable(name)), version: "1.0.0" },
  ]);
  const bridges = Object.entries(options.bridges ?? {}).map(([name, { path }]): [string, ManifestBridge] => [
    name,
    { version: "1.0.0", ...file(path), builtFrom: "graph:sha256:0" },
  ]);
  return {
    ...manifest.payload,
    commands: Object.fromEntries(commands),
    bridges: Object.fromEntries(bridges),
    prerequisites: options.prerequisites ?? {},
  };
}

function toExecutable(name: string): string {
  return `node_modules/${name}/bin/${name}`;
}
