import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { compileBridge } from "../../../src/pack/compile/compile-bridge.ts";
import { tempDir } from "../../support/temp-dir.ts";

const files: Readonly<Record<string, string>> = {
  "src/bridges/one/main.ts":
    'import { a } from "a";\nimport { more } from "./more.ts";\ntype T = number;\nconst n: T = 1;\nconsole.log(a, more, n, import.meta.url.length > 0);\n',
  "src/bridges/one/more.ts": "export const more: string = 'more';\n",
  "tree/node_modules/a/package.json":
    '{ "name": "a", "version": "1.0.0", "license": "MIT", "main": "index.js" }',
  "tree/node_modules/a/index.js": "exports.a = require('b').b;\n",
  "tree/node_modules/a/LICENSE": "Licence of a\n*/ alert()\n",
  "tree/node_modules/a/node_modules/b/package.json": '{ "name": "b", "version": "2.0.0", "license": "ISC" }',
  "tree/node_modules/a/node_modules/b/index.js": "exports.b = 'b';\n",
  "tree/node_modules/cli/package.json": '{ "name": "cli", "version": "1.0.0" }',
};
const integrities = {
  "node_modules/a": "sha512-a",
  "node_modules/a/node_modules/b": "sha512-b",
  "node_modules/cli": "sha512-cli",
};

/** Files on disk, with changes, in a folder of a given depth. */
function lay(changes: Readonly<Record<string, string>> = {}, below = "."): string {
  const root = join(tempDir(), below);
  for (const [path, text] of Object.entries({ ...files, ...changes })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

function compile(root: string, more: Partial<Parameters<typeof compileBridge>[0]> = {}) {
  const places = { sources: join(root, "src"), nodeModules: join(root, "tree/node_modules") };
  return compileBridge({ ...places, program: "one", integrities, version: "1.0.0", ...more });
}

test("the same bytes wherever sources and packages lie, with a configuration nearby or not", async () => {
  const first = await compile(lay());
  const other = lay(
    {
      "tsconfig.json": '{ "compilerOptions": { "jsx": "react", "target": "es5" } }',
      "package.json": '{ "type": "module", "sideEffects": false }',
    },
    "a/deeper place/with spaces",
  );
  const second = await compile(other);
  expect(second.bytes.equals(first.bytes)).toBe(true);
  expect([second.sha256, second.builtFrom]).toEqual([first.sha256, first.builtFrom]);
  expect(first.bytes.toString()).not.toContain("/tmp");
});

test("it runs, from anywhere", async () => {
  const path = join(tempDir(), "one.cjs");
  writeFileSync(path, (await compile(lay())).bytes);
  const { execFileSync } = await import("node:child_process");
  expect(execFileSync(process.execPath, [path], { encoding: "utf8" })).toBe("b more 1 true\n");
});

test("another CLI in the same tree and lock changes nothing", async () => {
  const first = await compile(lay());
  const root = lay({ "tree/node_modules/cli/package.json": '{ "name": "cli", "version": "2.0.0" }' });
  const second = await compile(root, { integrities: { ...integrities, "node_modules/cli": "sha512-other" } });
  expect([second.sha256, second.builtFrom]).toEqual([first.sha256, first.builtFrom]);
});

test.each<[string, string, string, object, boolean, boolean]>([
  ["a source", "src/bridges/one/more.ts", "export const more = 'other';\n", {}, true, false],
  ["a package's code", "tree/node_modules/a/node_modules/b/index.js", "exports.b = 'c';\n", {}, true, false],
  [
    "a package's version",
    "tree/node_modules/a/node_modules/b/package.json",
    '{ "name": "b", "version": "2.0.1", "license": "ISC" }',
    {},
    true,
    true,
  ],
  [
    "a package's integrity",
    "x",
    "",
    { integrities: { ...integrities, "node_modules/a": "sha512-other" } },
    false,
    true,
  ],
  ["a licence", "tree/node_modules/a/LICENSE", "Other\n", {}, true, false],
])("changing %s changes what it must", async (_, path, text, more, bytes, builtFrom) => {
  const first = await compile(lay());
  const second = await compile(lay({ [path]: text }), more);
  expect([second.sha256 !== first.sha256, second.builtFrom !== first.builtFrom]).toEqual([bytes, builtFrom]);
});

test("licences are kept, and cannot end their comment", async () => {
  const { bytes, packages } = await compile(lay());
  expect(packages.map(({ location }) => location)).toEqual([
    "node_modules/a",
    "node_modules/a/node_modules/b",
  ]);
  const tail = bytes.toString().split("\n").slice(-7);
  expect(tail).toEqual([
    "//",
    "// a 1.0.0 (MIT)",
    "// Licence of a",
    "// */ alert()",
    "//",
    "// b 2.0.0 (ISC)",
    "",
  ]);
});

test.each<[string, Record<string, string>, string]>([
  [
    "a package that the pack lacks",
    { "src/bridges/one/main.ts": 'import "nowhere";' },
    "pack.bridge-not-compiled",
  ],
  ["a source that does not parse", { "src/bridges/one/main.ts": "const = ;" }, "pack.bridge-not-compiled"],
])("%s is refused by name", async (_, changes, code) => {
  await expect(compile(lay(changes))).rejects.toMatchObject({ code });
});

test("an input from outside is refused by name", async () => {
  const root = lay();
  const outside = join(tempDir(), "outside.js");
  writeFileSync(outside, "module.exports = 1;\n");
  writeFileSync(join(root, "src/bridges/one/main.ts"), `import ${JSON.stringify(outside)};`);
  await expect(compile(root)).rejects.toMatchObject({ code: "pack.bridge-input-outside" });
});

test("the head comes first and facts of the build are constants", async () => {
  const root = lay({
    "src/bridges/one/main.ts": "console.log(__SEALPACK_BRIDGE_VERSION__, __SEALPACK_BUILD__.revision);",
  });
  const { bytes } = await compile(root, {
    head: "#!/bin/sh\n",
    build: { revision: "abc" },
    version: "3.2.1",
  });
  expect(bytes.toString().startsWith("#!/bin/sh\n")).toBe(true);
  expect(bytes.toString()).toContain('"3.2.1"');
  expect(bytes.toString()).toContain('"abc"');
});

test("what bridges are developed with is what the default pack holds", () => {
  const lock = JSON.parse(readFileSync("packs/paperclip-runner/package-lock.json", "utf8"));
  const own = JSON.parse(readFileSync("package.json", "utf8"));
  const pinned = { ...own.dependencies, ...own.devDependencies };
  for (const name of ["@agentclientprotocol/sdk", "acpx", "zod"]) {
    expect([name, pinned[name]]).toEqual([name, lock.packages[`node_modules/${name}`].version]);
  }
});
