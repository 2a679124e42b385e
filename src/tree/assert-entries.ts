import type { Entry } from "./entry.ts";
import { treeError } from "./errors.ts";
import { foldPath } from "./fold-path.ts";
import { treeLimits } from "./limits.ts";
import { comparePaths } from "./path-order.ts";
import { parentOf, pathProblem } from "./path-rules.ts";
import { showPath } from "./show-path.ts";

/**
 * Holds entries to designs 1 and 2: sound paths, sorted, no duplicate, parents before children, no collision, bounded.
 * @throws `tree.path-*`, `tree.listing-*`
 */
export function assertEntries(entries: readonly Entry[]): void {
  assertBounds(entries);
  const directories = new Set<string>([""]);
  const folded = new Map<string, string>();
  let previous: Entry | undefined;
  for (const entry of entries) {
    assertPath(entry.path);
    if (previous !== undefined) assertAfter(previous.path, entry.path);
    assertParent(entry.path, directories);
    assertUnlike(entry.path, folded);
    if (entry.type === "d") directories.add(entry.path);
    previous = entry;
  }
}

/** @throws `tree.path-*` for the first rule that the path breaks. */
export function assertPath(path: string): void {
  const problem = pathProblem(path);
  if (problem === undefined) return;
  throw treeError(problem, {
    subject: "path",
    expected: "a path a pack may hold",
    got: showPath(path.slice(0, 256)),
  });
}

function assertBounds(entries: readonly Entry[]): void {
  if (entries.length > treeLimits.entries) {
    throw tooLarge("entries", treeLimits.entries, entries.length);
  }
  const bytes = sumSizes(entries);
  if (bytes > treeLimits.treeBytes) throw tooLarge("bytes of files", treeLimits.treeBytes, bytes);
}

export function tooLarge(subject: string, limit: number, got: number) {
  return treeError("tree.listing-too-large", {
    subject: `listing, ${subject}`,
    expected: `at most ${limit}`,
    got: String(got),
  });
}

export function sumSizes(entries: readonly Entry[]): number {
  return entries.reduce((sum, entry) => sum + entry.size, 0);
}

function assertAfter(previous: string, path: string): void {
  const order = comparePaths(previous, path);
  if (order < 0) return;
  throw treeError(order === 0 ? "tree.listing-duplicate" : "tree.listing-order", {
    subject: "listing",
    expected: `a path after ${showPath(previous)}`,
    got: showPath(path),
  });
}

function assertParent(path: string, directories: ReadonlySet<string>): void {
  const parent = parentOf(path);
  if (directories.has(parent)) return;
  throw treeError("tree.listing-parent", {
    subject: showPath(path),
    expected: `${showPath(parent)} listed before it as a directory`,
    got: "no such line",
  });
}

function assertUnlike(path: string, folded: Map<string, string>): void {
  const key = foldPath(path);
  const other = folded.get(key);
  if (other !== undefined) {
    throw treeError("tree.path-collision", {
      subject: showPath(path),
      expected: "a path that differs from all others in more than case and normalisation",
      got: `the same as ${showPath(other)}`,
    });
  }
  folded.set(key, path);
}
