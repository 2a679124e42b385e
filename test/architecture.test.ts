import { globSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, posix } from "node:path";
import { expect, test } from "vitest";
import { readErrorRows } from "../scripts/error-tables.ts";

/** What each room may import, besides itself and src/errors.ts. Imports point down only. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  tree: [],
  manifest: ["tree"],
  definition: ["tree"],
  archive: ["tree"],
  fetch: ["archive", "tree"],
  lock: ["fetch", "definition", "tree"],
  pack: ["lock", "fetch", "archive", "definition", "manifest", "tree"],
  sandbox: ["manifest", "tree"],
  bridges: ["manifest", "tree"],
  qualify: ["bridges", "pack", "manifest", "tree"],
  cli: ["qualify", "pack", "sandbox", "lock", "fetch", "archive", "definition", "manifest", "tree"],
};

/** Rooms that must run without any dependency: they are what a controller sends into a sandbox. */
const builtinsOnly = ["tree", "manifest"];

const root = join(import.meta.dirname, "..");
const files = globSync("src/**/*.ts", { cwd: root }).filter((file) => !file.endsWith(".d.ts"));
const importPattern = /(?:from|import)\s*\(?\s*"([^"]+)"/g;

function importsOf(file: string): string[] {
  return [...readFileSync(join(root, file), "utf8").matchAll(importPattern)].map((match) => match[1] ?? "");
}

const roomOf = (file: string) => (file.split("/").length === 2 ? "" : (file.split("/")[1] ?? ""));

test("every room is known, so that a new one is placed on purpose", () => {
  const rooms = new Set(files.map(roomOf).filter((room) => room !== ""));
  expect([...rooms].filter((room) => !(room in allowed))).toEqual([]);
});

test("imports point down only", () => {
  const wrong: string[] = [];
  for (const file of files.filter((one) => roomOf(one) !== "")) {
    for (const specifier of importsOf(file).filter((one) => one.startsWith("."))) {
      const target = posix.join(dirname(file), specifier);
      const room = roomOf(target);
      const fine =
        room === roomOf(file) || target === "src/errors.ts" || allowed[roomOf(file)]?.includes(room);
      if (!fine) wrong.push(`${file} imports ${target}`);
    }
  }
  expect(wrong).toEqual([]);
});

test("tree and manifest import nothing but node: modules", () => {
  const known = new Set(builtinModules.map((name) => `node:${name}`));
  const foreign = files
    .filter((file) => builtinsOnly.includes(roomOf(file)))
    .flatMap((file) => importsOf(file).map((specifier) => [file, specifier] as const))
    .filter(([, specifier]) => !specifier.startsWith(".") && !known.has(specifier));
  expect(foreign).toEqual([]);
});

/** The programs inside a pack are processes of their own. */
const programs = ["src/bridges/grok-launcher/main.ts", "src/bridges/run-bridge.ts", "src/cli/main.ts"];

test("only programs end the process", () => {
  const ending = files.filter((file) =>
    /process\.(exit\(|exitCode\s*=)/.test(readFileSync(join(root, file), "utf8")),
  );
  // What is sent into another process as text ends that process, not ours.
  expect(ending.filter((file) => !file.startsWith("src/pack/exercise/")).sort()).toEqual(programs);
});

test("no error code is defined twice, and each has an exit, a meaning and a remedy", async () => {
  const rows = await readErrorRows(root);
  expect(rows.length).toBeGreaterThan(50);
  for (const { code, exit, meaning, remedy } of rows) {
    expect([code, [1, 2, 3].includes(exit), meaning.endsWith("."), remedy.endsWith(".")]).toEqual([
      code,
      true,
      true,
      true,
    ]);
  }
});

test("no dependency stands in package.json that nothing imports", () => {
  const packageJson = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    dependencies: object;
  };
  const used = new Set(
    files.flatMap(importsOf).map((one) =>
      one
        .split("/")
        .slice(0, one.startsWith("@") ? 2 : 1)
        .join("/"),
    ),
  );
  expect(Object.keys(packageJson.dependencies).filter((name) => !used.has(name))).toEqual([]);
});
