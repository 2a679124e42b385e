import { lstat, readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { toOmitMatcher } from "../../definition/omit-pattern.ts";
import type { TargetId } from "../../definition/target.ts";

/** What one pattern took out of the tree. */
export interface Omission {
  readonly pattern: string;
  readonly files: number;
  readonly bytes: number;
}

/** Removes what the definition leaves out, and the folders that this empties. One result per pattern, in its order. */
export async function applyOmits(
  root: string,
  patterns: readonly string[],
  target: TargetId,
  declaredFiles: ReadonlySet<string>,
): Promise<Omission[]> {
  const rules = patterns.map((pattern) => ({
    pattern,
    matches: toOmitMatcher(pattern, target),
    files: 0,
    bytes: 0,
  }));
  if (rules.length > 0) await omitBelow("");
  return rules.map(({ pattern, files, bytes }) => ({ pattern, files, bytes }));

  async function omitBelow(folder: string): Promise<boolean> {
    let removed = false;
    for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      removed = (entry.isDirectory() ? await omitFolder(path) : await omitFile(path)) || removed;
    }
    return removed;
  }

  async function omitFolder(path: string): Promise<boolean> {
    const removed = await omitBelow(path);
    const isEmpty = (await readdir(join(root, path))).length === 0;
    if (isEmpty && (removed || rules.some((rule) => rule.matches(path)))) await rmdir(join(root, path));
    return removed;
  }

  async function omitFile(path: string): Promise<boolean> {
    const rule = rules.find((one) => one.matches(path));
    if (rule === undefined || declaredFiles.has(path)) return false;
    rule.files += 1;
    rule.bytes += (await lstat(join(root, path))).size;
    await rm(join(root, path));
    return true;
  }
}
