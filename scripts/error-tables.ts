import { globSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ErrorEntry, ErrorTable } from "../src/errors.ts";

export interface ErrorRow extends ErrorEntry {
  readonly code: string;
}

/**
 * Every error table under src/, joined. A room's table is the export whose name ends with `Errors`.
 * @throws Error where two rooms define one code
 */
export async function readErrorRows(root = "."): Promise<ErrorRow[]> {
  const rows = new Map<string, ErrorRow>();
  for (const file of globSync("src/**/errors.ts", { cwd: root }).sort()) {
    if (file === "src/errors.ts") continue;
    const exports = (await import(pathToFileURL(resolve(root, file)).href)) as Record<string, unknown>;
    for (const table of Object.keys(exports).filter((name) => name.endsWith("Errors"))) {
      for (const [code, entry] of Object.entries(exports[table] as ErrorTable)) {
        if (rows.has(code)) throw new Error(`${file}: ${code} is defined twice`);
        rows.set(code, { code, ...entry });
      }
    }
  }
  return [...rows.values()].sort((a, b) => (a.code < b.code ? -1 : 1));
}
