import { lstat, readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type ProcessToken, readTokenState, tokenPattern } from "../process-token.ts";

/** The siblings of an output that a build makes: `tmp` while it works, `old` during the swap, `lock` where one was taken over. */
export type SiblingKind = "tmp" | "old" | "lock";

export interface Sibling {
  readonly path: string;
  readonly kind: SiblingKind;
  readonly token: string;
  readonly alive: boolean;
}

/** How long a process that cannot be seen from here is taken for alive after it last touched what it made. */
const unseenMs = 24 * 60 * 60 * 1000;

/** A name that no person writes and no listing shows: what stands there is a build's, or is left alone. */
export function siblingPath(out: string, kind: SiblingKind, token: ProcessToken): string {
  return `${toHiddenName(out, kind)}-${token}`;
}

export function lockPath(out: string): string {
  return toHiddenName(out, "lock");
}

/** What earlier builds of this output left beside it, in the order of their names. */
export async function readSiblings(out: string): Promise<Sibling[]> {
  const names = await readdir(dirname(out)).catch(() => []);
  const found: Sibling[] = [];
  for (const name of names.sort()) {
    const sibling = await toSibling(out, join(dirname(out), name));
    if (sibling !== undefined) found.push(sibling);
  }
  return found;
}

/** False only where the token's process is gone, or was never seen from here and has not touched `path` for a day. */
export async function isHeld(path: string, token: string): Promise<boolean> {
  const state = readTokenState(token);
  if (state !== "elsewhere") return state === "alive";
  const stats = await lstat(path).catch(() => undefined);
  return stats === undefined || Date.now() - stats.mtimeMs < unseenMs;
}

async function toSibling(out: string, path: string): Promise<Sibling | undefined> {
  for (const kind of ["tmp", "old", "lock"] as const) {
    const prefix = `${toHiddenName(out, kind)}-`;
    const token = path.startsWith(prefix) ? path.slice(prefix.length) : "";
    if (tokenPattern.test(token)) return { path, kind, token, alive: await isHeld(path, token) };
  }
  return undefined;
}

function toHiddenName(out: string, kind: SiblingKind): string {
  return join(dirname(out), `.${basename(out)}.sealpack-${kind}`);
}
