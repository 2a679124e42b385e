import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { toCachePath } from "../../src/fetch/cache-path.ts";
import { printManifest } from "../../src/manifest/print-manifest.ts";
import { sealManifest } from "../../src/manifest/seal-manifest.ts";
import { printListing } from "../../src/tree/print-listing.ts";
import { runBounded, surroundings } from "../support/bounded-run.ts";
import { writeControlFiles, smallPack as writeSealed } from "../support/random-pack.ts";
import { type SmallPack, sha256, smallPack, smallRevision, writeSmallPack } from "../support/small-pack.ts";
import { bomb, directory, file, header, sri, tar } from "../support/tarball.ts";
import { tempDir } from "../support/temp-dir.ts";

/*
 * No input makes `build` or `verify` run on (30 s), grow (400 MiB), print a stack trace, or leave anything outside its own
 * folders. The real command line in a process of its own. Minutes and gigabytes in all, so it is no part of `npm test`.
 */
const MiB = 1024 ** 2;

async function expectBounded(dir: string, args: readonly string[], code: string): Promise<void> {
  const own = ["out", "cache", "tmp", "home"];
  const before = surroundings(dir, own);
  const run = await runBounded(dir, args);
  const shown = `${run.exit}, ${run.seconds.toFixed(1)} s (${run.processorSeconds.toFixed(1)}), ${run.memory.toFixed(0)} MiB: ${run.stderr.replaceAll("\n", " ").slice(-500)}${run.stdout.slice(0, 300)}`;
  if (process.env.SHOW_BOUNDS) process.stderr.write(`${expect.getState().currentTestName}: ${shown}\n`);
  expect(run.exit === undefined ? "killed" : code === "" ? run.exit : "ended", shown).toBe(
    code === "" ? 0 : "ended",
  );
  expect(`${run.stderr}${run.stdout}`.split(/[\s:"]+/), shown).toContain(code);
  expect(`${run.stderr}${run.stdout}`, shown).not.toMatch(/^\s+at \S+ ?\(|cli\.internal/m);
  // On a machine that has other work, waiting for it is not running on.
  expect(Math.min(run.seconds, run.processorSeconds), shown).toBeLessThan(30);
  expect(run.memory, shown).toBeLessThan(400);
  expect(surroundings(dir, own)).toEqual(before);
  expect([...surroundings(join(dir, "tmp"), []), ...surroundings(join(dir, "home"), [])]).toEqual([]);
}

const buildArgs = [
  ...["build", "pack", "--out", "out", "--target", "linux-x64", "--cache", "cache", "--no-exercise"],
  ...["--source-revision", smallRevision],
];

function fifo(path: string): void {
  rmSync(path, { force: true });
  execFileSync("mkfifo", [path]);
}

function sparse(path: string, size: number): void {
  closeSync(openSync(path, "w"));
  truncateSync(path, size);
}

interface BuildRow {
  readonly name: string;
  readonly code: string;
  /** Changes what the pack is made of. */
  readonly change?: (pack: SmallPack) => void;
  /** Changes what was written. */
  readonly edit?: (dir: string) => void;
  readonly online?: true;
}

/** Puts an archive of any bytes in the place of a package's, pinned by the lock. */
function pinArchive(dir: string, name: string, archive: Buffer): void {
  const lock = join(dir, "pack/package-lock.json");
  const parsed = JSON.parse(readFileSync(lock, "utf8"));
  parsed.packages[`node_modules/${name}`].integrity = sri(archive);
  mkdirSync(join(toCachePath(join(dir, "cache"), sri(archive), name), ".."), { recursive: true });
  writeFileSync(toCachePath(join(dir, "cache"), sri(archive), name), archive);
  pinLock(dir, JSON.stringify(parsed));
}

function pinLock(dir: string, text: string | Buffer): void {
  writeFileSync(join(dir, "pack/package-lock.json"), text);
  const yaml = readFileSync(join(dir, "pack/pack.yaml"), "utf8");
  writeFileSync(join(dir, "pack/pack.yaml"), yaml.replace(/sha256: [0-9a-f]{64}/, `sha256: ${sha256(text)}`));
}

function yaml(text: string): (dir: string) => void {
  return (dir) => writeFileSync(join(dir, "pack/pack.yaml"), text);
}

const nested = (count: number) => "[".repeat(count) + "]".repeat(count);
const packageJson = file("package/package.json", JSON.stringify({ name: "helper", version: "1.1.0" }));
const helperText = (text: string, times: number) => (dir: string) => {
  const length = Buffer.byteLength(text) * times;
  const start = Buffer.concat([packageJson, header({ name: "package/big.txt", size: length })]);
  const body = Buffer.from(text);
  const end = Buffer.concat([Buffer.alloc((512 - (length % 512)) % 512), Buffer.alloc(1024)]);
  pinArchive(dir, "helper", gzipOf(start, body, times, end));
};

function gzipOf(start: Buffer, body: Buffer, times: number, end: Buffer): Buffer {
  const whole = Buffer.concat([start, ...Array.from({ length: times }, () => body), end]);
  return execFileSync("gzip", ["-1", "-c"], { input: whole, maxBuffer: 1024 * MiB });
}

const builds: readonly BuildRow[] = [
  {
    name: "pack.yaml is a FIFO",
    code: "definition.unreadable",
    edit: (dir) => fifo(join(dir, "pack/pack.yaml")),
  },
  {
    name: "pack.yaml is an endless device",
    code: "definition.unreadable",
    edit: (dir) => {
      rmSync(join(dir, "pack/pack.yaml"));
      symlinkSync("/dev/zero", join(dir, "pack/pack.yaml"));
    },
  },
  {
    name: "pack.yaml of a terabyte",
    code: "definition.too-large",
    edit: (dir) => sparse(join(dir, "pack/pack.yaml"), 2 ** 40),
  },
  {
    name: "aliases that double",
    code: "definition.alias",
    edit: yaml(
      `a0: &a0 [x]\n${Array.from({ length: 40 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`).join("\n")}\n`,
    ),
  },
  { name: "250,000 brackets", code: "definition.too-deep", edit: yaml("[".repeat(250_000)) },
  {
    name: "20,000 unknown keys",
    code: "definition.unknown-key",
    edit: yaml(Array.from({ length: 20_000 }, (_, i) => `key${i}: 1\n`).join("")),
  },
  { name: "20,000 equal keys", code: "definition.duplicate-key", edit: yaml("a: 1\n".repeat(20_000)) },
  {
    name: "an omit pattern of many stars",
    code: "",
    change: (pack) => {
      pack.definition.omit = [`**/${"*a".repeat(60)}*b`, `${"**/a*/".repeat(30)}**/b`];
      const helper = pack.packages.helper;
      if (helper) helper.files[`${"a/".repeat(20)}${"a".repeat(40)}`] = "";
    },
  },
  {
    name: "a lock of 100 MB",
    code: "lock.too-large",
    edit: (dir) => appendFileSync(join(dir, "pack/package-lock.json"), Buffer.alloc(100 * MiB, " ")),
  },
  {
    name: "a lock that is a FIFO",
    code: "lock.unreadable",
    edit: (dir) => fifo(join(dir, "pack/package-lock.json")),
  },
  {
    name: "a package.json that is a FIFO",
    code: "lock.unreadable",
    edit: (dir) => fifo(join(dir, "pack/package.json")),
  },
  {
    name: "a package.json of 100 MB",
    code: "lock.too-large",
    edit: (dir) => appendFileSync(join(dir, "pack/package.json"), Buffer.alloc(100 * MiB, " ")),
  },
  {
    name: "an .npmrc that is a FIFO",
    code: "fetch.npm-config",
    edit: (dir) => fifo(join(dir, "pack/.npmrc")),
    online: true,
  },
  {
    name: "a pinned lock of brackets",
    code: "lock.malformed",
    edit: (dir) => pinLock(dir, `{"a":${nested(4 * MiB - 100)}}`),
  },
  {
    name: "a pinned lock with brackets beside its packages",
    code: "lock.malformed",
    edit: (dir) => pinLock(dir, `{"lockfileVersion":3,"packages":{"":{}},"a":${nested(1_000_000)}}`),
  },
  {
    name: "a lock of 8 MiB of empty lists",
    code: "lock.root-mismatch",
    edit: (dir) => pinLock(dir, `{"lockfileVersion":3,"packages":{"":{}},"a":[${"[],".repeat(2.6 * MiB)}0]}`),
  },
  {
    name: "a lock of 19,000 packages that ask for 20 each",
    code: "lock.too-large",
    edit: (dir) => wideLock(dir, 19_000, 20),
  },
  {
    name: "a lock of 4,900 packages that all ask for each other",
    code: "lock.unloadable",
    edit: (dir) => wideLock(dir, 4_900, 20),
  },
  {
    name: "a lock of packages in packages, 1,000 deep",
    code: "fetch.offline-missing",
    edit: (dir) => deepLock(dir, 1_000),
  },
  {
    name: "an archive of zeros",
    code: "archive.gzip-checksum",
    edit: (dir) => pinArchive(dir, "helper", bomb(Buffer.alloc(0), Buffer.alloc(MiB), 1024)),
  },
  {
    name: "an archive of 5 GB of zeros",
    code: "archive.too-many-bytes",
    edit: (dir) => pinArchive(dir, "helper", bomb(file("package/a"), Buffer.alloc(MiB), 5000)),
  },
  {
    name: "a pax header of 1 GB",
    code: "archive.extension-too-large",
    edit: (dir) =>
      pinArchive(
        dir,
        "helper",
        bomb(header({ name: "x", type: "x", size: 1024 ** 3 }), Buffer.alloc(MiB, "9"), 1024),
      ),
  },
  {
    name: "10 million entries",
    code: "archive.path-duplicate",
    edit: (dir) =>
      pinArchive(
        dir,
        "helper",
        bomb(
          packageJson,
          Buffer.concat(Array.from({ length: 2048 }, (_, i) => directory(`package/p${i}`))),
          5000,
        ),
      ),
  },
  {
    name: "100,001 files",
    code: "archive.too-many-entries",
    edit: (dir) => pinArchive(dir, "helper", manyFiles(100_001)),
  },
  { name: "60,000 files, sound", code: "", edit: (dir) => pinArchive(dir, "helper", manyFiles(60_000)) },
  {
    name: "folders 10,000 deep",
    code: "archive.path-too-long",
    edit: (dir) =>
      pinArchive(
        dir,
        "helper",
        execFileSync("gzip", {
          input: tar(
            packageJson,
            header({ name: "x", type: "L", size: 20_007, magic: "ustar  \0" }),
            Buffer.concat([Buffer.from(`package${"/a".repeat(10_000)}`), Buffer.alloc(20_480 - 20_007)]),
            file("x"),
          ),
        }),
      ),
  },
  {
    name: "a package.json of brackets",
    code: "pack.package-json-invalid",
    change: ({ packages: { helper } }) => {
      if (helper) helper.files["package.json"] = nested(2 * MiB - 100);
    },
  },
  {
    name: "a package.json that is no text",
    code: "pack.package-json-invalid",
    change: ({ packages: { helper } }) => {
      if (helper) helper.files["package.json"] = Buffer.alloc(5 * MiB, 0xff);
    },
  },
  {
    name: "a package.json with odd scripts",
    code: "pack.install-script-unacknowledged",
    change: ({ packages: { helper } }) => {
      if (helper) helper.packageJson.scripts = { install: { toString: 1 } };
    },
  },
  {
    name: "64 MB of marks of private keys",
    code: "",
    edit: helperText("-----BEGIN PRIVATE KEY-----\n", Math.floor((64 * MiB) / 28)),
  },
  {
    name: "64 MB of beginnings of tokens",
    code: "",
    edit: helperText("eyJhbGciaaaaaaaa.eyJaaaaaaaa.sk-ant-ab01-npm_aaaa", Math.floor((64 * MiB) / 49)),
  },
  {
    name: "64 MB of keys that are too short",
    code: "pack.secrets-found",
    edit: helperText(`npm_${"aB3".repeat(12)} `, Math.floor((64 * MiB) / 41)),
  },
  {
    name: "a patch that fits nowhere in a file of empty lines",
    code: "pack.patch-failed",
    change: (pack) => {
      const script = pack.packages.script;
      if (script) script.files["empty.js"] = Buffer.alloc(7 * MiB, "\n");
      const text = `--- a/empty.js\n+++ b/empty.js\n@@ -1,400001 +1,400000 @@\n${" \n".repeat(400_000)}-x\n`;
      pack.beside["a.patch"] = text;
      pack.definition.patches = [{ file: "a.patch", sha256: sha256(text), component: "node_modules/script" }];
    },
  },
  {
    name: "an output with a listing without end",
    code: "pack.output-not-a-pack",
    edit: (dir) => {
      mkdirSync(join(dir, "out"));
      writeFileSync(join(dir, "out/sealpack.json"), "{}");
      sparse(join(dir, "out/sealpack.tree"), 2 ** 40);
    },
  },
  {
    name: "an output whose listing is a FIFO",
    code: "pack.output-not-a-pack",
    edit: (dir) => {
      mkdirSync(join(dir, "out"));
      writeFileSync(join(dir, "out/sealpack.json"), "{}");
      fifo(join(dir, "out/sealpack.tree"));
    },
  },
];

function manyFiles(count: number): Buffer {
  const parts = Array.from({ length: count - 1 }, (_, i) => header({ name: `package/d${i % 100}/f${i}` }));
  return execFileSync("gzip", ["-1"], { input: tar(packageJson, ...parts), maxBuffer: 256 * MiB });
}

/** Every package asks for `width` others; all are reached from the root. */
function wideLock(dir: string, count: number, width: number): void {
  const name = (index: number) => `p${index % count}`;
  const rows = Array.from({ length: count }, (_, index) => [
    `node_modules/p${index}`,
    {
      version: "1.0.0",
      integrity: sri(Buffer.from(name(index))),
      dependencies: Object.fromEntries(
        Array.from({ length: width }, (_, step) => [name(index * width + step + 1), "*"]),
      ),
    },
  ]);
  writeRoot(dir, { p0: "1.0.0" }, Object.fromEntries(rows));
}

/** p0 in p1 in p2 …, each asked for by the one that holds it. */
function deepLock(dir: string, depth: number): void {
  const rows: Record<string, object> = {};
  let location = "";
  for (let index = 0; index < depth; index += 1) {
    location = `${location}${location === "" ? "" : "/"}node_modules/a`;
    rows[location] = {
      version: `1.0.${index}`,
      integrity: sri(Buffer.from(String(index))),
      ...(index + 1 < depth ? { dependencies: { a: `1.0.${index + 1}` } } : {}),
    };
  }
  writeRoot(dir, { a: "1.0.0" }, rows);
}

function writeRoot(dir: string, dependencies: Record<string, string>, rows: object): void {
  const root = { name: "small-pack", version: "0.0.0", dependencies };
  writeFileSync(join(dir, "pack/package.json"), JSON.stringify(root));
  writeFileSync(
    join(dir, "pack/pack.yaml"),
    `schema: sealpack/pack/v1\nname: small\nlock: { path: package-lock.json, sha256: ${sha256("x")} }\ntargets: [linux-x64]\ncommands: {}\n`,
  );
  pinLock(
    dir,
    JSON.stringify({ ...root, lockfileVersion: 3, requires: true, packages: { "": root, ...rows } }),
  );
}

test.each(builds.map((row) => [row.name, row] as const))("build: %s", async (_name, row) => {
  const { code, change, edit, online } = row;
  const dir = tempDir();
  const pack = smallPack();
  change?.(pack);
  writeSmallPack(pack, join(dir, "pack"), join(dir, "cache"));
  edit?.(dir);
  await expectBounded(dir, online ? buildArgs : [...buildArgs, "--offline"], code);
});

const digest = "ab".repeat(32);

/** A listing that the manifest binds, whatever it says. */
async function sealListing(root: string, listing: string | Buffer, entries = 1): Promise<void> {
  const { manifest } = await writeSealed(root);
  const tree = { digest: createHash("sha256").update(listing).digest("hex"), entries, bytes: 0 };
  writeControlFiles(root, sealManifest({ ...manifest.payload, tree }), Buffer.from(listing));
}

const verifies: readonly (readonly [string, string, (root: string) => void | Promise<void>])[] = [
  [
    "sealpack.json is a FIFO",
    "manifest.not-a-file",
    async (root) => {
      await writeSealed(root);
      fifo(join(root, "sealpack.json"));
    },
  ],
  [
    "sealpack.tree is a FIFO",
    "manifest.not-a-file",
    async (root) => {
      await writeSealed(root);
      fifo(join(root, "sealpack.tree"));
    },
  ],
  [
    "a manifest of 2 MiB",
    "manifest.too-large",
    async (root) => {
      await writeSealed(root);
      writeFileSync(join(root, "sealpack.json"), Buffer.alloc(2 * MiB, " "));
    },
  ],
  [
    "a manifest of a terabyte",
    "manifest.too-large",
    async (root) => {
      await writeSealed(root);
      sparse(join(root, "sealpack.json"), 2 ** 40);
    },
  ],
  [
    "a manifest of brackets",
    "manifest.schema-unknown",
    async (root) => {
      await writeSealed(root);
      writeFileSync(join(root, "sealpack.json"), nested(MiB / 2));
    },
  ],
  [
    "a manifest of 10,000 commands and components",
    "manifest.tree-digest",
    async (root) => {
      const { manifest } = await writeSealed(root);
      const file = { path: "a", sha256: digest };
      const commands = Object.fromEntries(
        Array.from({ length: 2_000 }, (_, i) => [
          `c${i}`,
          { launcher: file, executable: file, version: "1" },
        ]),
      );
      writeFileSync(
        join(root, "sealpack.json"),
        printManifest(sealManifest({ ...manifest.payload, commands })),
      );
      appendFileSync(join(root, "sealpack.tree"), "x");
    },
  ],
  [
    "a listing of a million lines",
    "tree.listing-too-large",
    (root) => sealListing(root, `sealpack-tree/v1\n${"d\t-\t-\ta\n".repeat(1_000_000)}`),
  ],
  [
    "a listing of 16 MiB in one line",
    "tree.listing-line",
    (root) => sealListing(root, `sealpack-tree/v1\n${"x".repeat(15 * MiB)}\n`),
  ],
  [
    "a listing of 16 MiB of newlines",
    "tree.listing-too-large",
    (root) => sealListing(root, `sealpack-tree/v1\n${"\n".repeat(15 * MiB)}`),
  ],
  [
    "300,000 files in a listed directory",
    "tree.too-many-entries",
    async (root) => {
      await writeSealed(root);
      for (let index = 0; index < 300_000; index += 1)
        closeSync(openSync(join(root, "dist", `f${index}`), "w"));
    },
  ],
  [
    "directories 10,000 deep",
    "tree.extra-directory",
    async (root) => {
      await writeSealed(root);
      execFileSync("sh", [
        "-c",
        'cd "$1" && i=0; while [ $i -lt 100 ]; do d=$(printf "d/%.0s" $(seq 100)); mkdir -p "$d" && cd -P "$d" || exit 1; i=$((i+1)); done',
        "sh",
        join(root, "dist"),
      ]);
    },
  ],
  [
    "a file of 2 GB that should be small",
    "tree.size",
    async (root) => {
      await writeSealed(root);
      sparse(join(root, "package.json"), 2 ** 31);
      chmodSync(join(root, "package.json"), 0o644);
    },
  ],
  [
    "a file of 512 MiB, as listed",
    "tree.content",
    async (root) => {
      const { manifest, listing } = await writeSealed(root);
      const entries = listing.entries.map((entry) =>
        entry.path === "package.json" ? { ...entry, size: 2 ** 29 } : entry,
      );
      sparse(join(root, "package.json"), 2 ** 29);
      const bytes = printListing(entries);
      const tree = {
        digest: createHash("sha256").update(bytes).digest("hex"),
        entries: entries.length,
        bytes: listing.bytes - 3 + 2 ** 29,
      };
      writeControlFiles(root, sealManifest({ ...manifest.payload, tree }), bytes);
    },
  ],
];

test.each(verifies)("verify: %s", async (_name, code, make) => {
  const dir = tempDir();
  await make(join(dir, "out"));
  await expectBounded(dir, ["verify", "out"], code);
});

test.each<[string, string, (path: string) => void]>([
  ["a FIFO", "manifest.not-a-file", fifo],
  ["a terabyte", "manifest.too-large", (path) => sparse(path, 2 ** 40)],
])("verify: the trusted manifest is %s", async (_name, code, make) => {
  const dir = tempDir();
  await writeSealed(join(dir, "out"));
  make(join(dir, "trusted.json"));
  await expectBounded(dir, ["verify", "out", "--manifest", "trusted.json"], code);
});

test("verify: the root is a link in a circle", async () => {
  const dir = tempDir();
  symlinkSync("other", join(dir, "out"));
  symlinkSync("out", join(dir, "other"));
  await expectBounded(dir, ["verify", "out"], "tree.root-not-a-directory");
  renameSync(join(dir, "other"), join(dir, "aside"));
});
