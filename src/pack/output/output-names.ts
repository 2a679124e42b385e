import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isTokenAlive, type ProcessToken, tokenPattern } from "../process-token.ts";

/** The siblings of an output that a build makes: `tmp` while it works, `old` during the swap. */
export type SiblingKind = "tmp" | "old";

export interface Sibling {
  readonly path: string;
  readonly kind: SiblingKind;
  readonly token: string;
  readonly alive: boolean;
}

export function siblingPath(out: string, kind: SiblingKind, token: ProcessToken): string {
  return `${out}.${kind}-${token}`;
}

export function lockPath(out: string): string {
  return `${out}.lock`;
}

/** What earlier builds of this output left beside it, in the order of their names. */
export async function readSiblings(out: string): Promise<Sibling[]> {
  const names = await readdir(dirname(out)).catch(() => []);
  return names
    .sort()
    .map((name) => toSibling(out, name))
    .filter((sibling) => sibling !== undefined);
}

function toSibling(out: string, name: string): Sibling | undefined {
  for (const kind of ["tmp", "old"] as const) {
    const prefix = `${basename(out)}.${kind}-`;
    const token = name.startsWith(prefix) ? name.slice(prefix.length) : "";
    if (!tokenPattern.test(token)) continue;
    return { path: join(dirname(out), name), kind, token, alive: isTokenAlive(token) };
  }
  return undefined;
}
