import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bridgePack } from "../../support/bridge-pack.ts";
import { compiledBridge } from "../../support/compiled-bridge.ts";
import { runProgram } from "../../support/run-program.ts";
import { tempDir } from "../../support/temp-dir.ts";

const launcher = await compiledBridge("grok-launcher");
const real = '#!/bin/sh\necho grok "$@"\nkill -s "$1" $$\n';
const digest = createHash("sha256").update(real).digest("hex");

/** A pack with the launcher where a pack has it, and what `provision` puts at the prerequisite's path. */
async function run(provision: (path: string) => void, args: readonly string[] = [], declared = true) {
  const folder = tempDir();
  const path = join(folder, "grok");
  provision(path);
  const prerequisites = declared ? { grok: { version: "1.0.13", path, sha256: digest } } : {};
  const pack = await bridgePack(join(folder, "pack"), { commands: {}, prerequisites });
  const script = join(pack.root, "dist/providers/grok/launcher.cjs");
  mkdirSync(join(script, ".."), { recursive: true });
  copyFileSync(launcher, script);
  const program = runProgram(script, args);
  let stdout = "";
  program.child.stdout.on("data", (chunk: string) => {
    stdout += chunk;
  });
  return { ...(await program.exited), stdout, stderr: program.stderr(), path };
}

const write = (text: string) => (path: string) => {
  writeFileSync(path, text);
  chmodSync(path, 0o755);
};

test("becomes the provided executable, with its arguments, its streams and its end", async () => {
  const { stdout, signal, stderr } = await run(write(real), ["TERM", "two words"]);
  expect([stdout, signal, stderr]).toEqual(["grok TERM two words\n", "SIGTERM", ""]);
});

test.each<[string, (path: string) => void, string, number]>([
  ["missing", () => {}, "bridges.grok-missing", 3],
  ["another file", write("#!/bin/sh\necho other\n"), "bridges.grok-differs", 1],
  ["a directory", (path) => mkdirSync(path), "bridges.grok-cannot-check", 3],
  [
    "a link to the right file",
    (path) => {
      write(real)(`${path}-real`);
      symlinkSync(`${path}-real`, path);
    },
    "bridges.grok-cannot-check",
    3,
  ],
])("refuses when it is %s, naming path and digest", async (_, provision, code, exit) => {
  const result = await run(provision);
  expect(result.code).toBe(exit);
  expect(result.stdout).toBe("");
  for (const fact of [code, result.path, digest]) expect(result.stderr).toContain(fact);
});

test("refuses when the manifest declares none", async () => {
  const { code, stderr } = await run(write(real), [], false);
  expect([code, stderr.includes("bridges.grok-not-declared")]).toEqual([3, true]);
});
