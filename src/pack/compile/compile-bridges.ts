import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { PackDefinition } from "../../definition/pack-definition.ts";
import type { Plan } from "../../lock/types.ts";
import { comparePaths } from "../../tree/path-order.ts";
import { compileBridge } from "./compile-bridge.ts";

/** A compiled bridge that was written into a tree. */
export interface CompiledFile {
  readonly name: string;
  readonly version: string;
  readonly path: string;
  readonly builtFrom: string;
}

/**
 * Compiles a definition's bridges from the tree's own placed packages and writes them into it, sorted by name.
 * @throws what `compileBridge` throws
 */
export async function compileBridges(
  root: string,
  definition: PackDefinition,
  plan: Plan,
): Promise<readonly CompiledFile[]> {
  const integrities = Object.fromEntries(
    plan.packages.map(({ location, integrity }) => [location, integrity]),
  );
  const written: CompiledFile[] = [];
  for (const name of Object.keys(definition.compiled).sort(comparePaths)) {
    const declared = definition.compiled[name];
    if (declared === undefined) continue;
    const { program, version, path } = declared;
    const nodeModules = join(root, "node_modules");
    const { bytes, builtFrom } = await compileBridge({ program, nodeModules, integrities, version });
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), bytes, { flag: "wx" });
    written.push({ name, version, path, builtFrom });
  }
  return written;
}
