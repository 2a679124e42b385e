import type { Stats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

const maxEntries = 200_000;

/** What stands at a path of the working tree. */
export type InputKind = "file" | "link" | "special" | "unreadable" | "beyond-limit";

/**
 * Everything but folders at and below `roots`, by path below `top`, no link followed. The repository's own `.git` and
 * what `isSkipped` names are left out, with all that is in them. Whoever made the tree chose its size: beyond the limit
 * the walk ends, and the path at which it ended says so.
 */
export async function walkInputs(
  top: string,
  roots: readonly string[],
  isSkipped: (path: string) => boolean,
): Promise<ReadonlyMap<string, InputKind>> {
  const found = new Map<string, InputKind>();
  const pending = [...roots];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (path === ".git" || isSkipped(path)) continue;
    if (found.size + pending.length > maxEntries) return found.set(path, "beyond-limit");
    const stats = await lstat(join(top, path)).catch(toMissing);
    if (stats === undefined) continue;
    const names =
      stats !== "unreadable" && stats.isDirectory() ? await readNames(join(top, path)) : undefined;
    if (names === undefined) found.set(path, toKind(stats));
    else pending.push(...names.map((name) => (path === "" ? name : `${path}/${name}`)));
  }
  return found;
}

async function readNames(directory: string): Promise<string[] | undefined> {
  return await readdir(directory).catch(() => undefined);
}

function toMissing(error: unknown): "unreadable" | undefined {
  return (error as NodeJS.ErrnoException).code === "ENOENT" ? undefined : "unreadable";
}

function toKind(stats: Stats | "unreadable"): InputKind {
  if (stats === "unreadable" || stats.isDirectory()) return "unreadable";
  if (stats.isFile()) return "file";
  return stats.isSymbolicLink() ? "link" : "special";
}
