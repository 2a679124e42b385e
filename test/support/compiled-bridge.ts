import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { compileBridge } from "../../src/pack/compile/compile-bridge.ts";

const programs = new Map<string, Promise<string>>();

/** One of this checkout's bridges as the one file that a pack gets, made once per test file. */
export function compiledBridge(name: string): Promise<string> {
  const known = programs.get(name) ?? compile(name);
  programs.set(name, known);
  return known;
}

async function compile(name: string): Promise<string> {
  const { bytes } = await compileBridge({
    program: name,
    nodeModules: "node_modules",
    integrities: {},
    version: "1.0.0",
  });
  const folder = mkdtempSync(join(tmpdir(), "sealpack-test-bridge-"));
  folders.push(folder);
  const path = join(folder, `${name}.cjs`);
  writeFileSync(path, bytes);
  return path;
}

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
