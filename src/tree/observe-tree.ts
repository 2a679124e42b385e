import { getSystemErrorName } from "node:util";
import { type FileToHash, type HashedFile, startHashing } from "./hash-files.ts";
import { type Observed, toKind } from "./observed.ts";
import { parentOf } from "./path-rules.ts";
import { resolveRoot } from "./resolve-root.ts";
import { type Walk, walkTree } from "./walk-tree.ts";

export interface Observation {
  readonly observed: readonly Observed[];
  readonly tooMany: boolean;
}

/**
 * What stands in a tree against what is expected there: hashes the expected files while it walks the expected
 * directories, and only names everything else.
 * @throws `tree.root-not-a-directory`
 */
export async function observeExpected(
  root: string,
  files: readonly FileToHash[],
  directories: ReadonlySet<string>,
): Promise<Observation> {
  const absolute = resolveRoot(root);
  const finish = startHashing(absolute, files);
  const paths = new Set(files.map((file) => file.path));
  const walk = walkTree(absolute, {
    descend: (path) => directories.has(path),
    skip: (path) => paths.has(path),
  });
  const hashed = await finish();
  return { observed: joinWalk(walk, hashed), tooMany: walk.tooMany };
}

/**
 * Everything that stands in a tree, each regular file hashed.
 * @throws `tree.root-not-a-directory`
 */
export async function observeAll(root: string): Promise<Observation> {
  const absolute = resolveRoot(root);
  const walk = walkTree(absolute, { descend: () => true, skip: () => false });
  if (walk.tooMany) return { observed: walk.observed, tooMany: true };
  const files = walk.observed.filter((one) => one.kind === "file" && one.utf8);
  const hashed = await startHashing(absolute, files)();
  const others = walk.observed.filter((one) => !hashed.has(one.path));
  const all = {
    ...walk,
    observed: others,
    seen: new Set(hashed.keys()),
    findChanged: () => walk.findChanged(),
  };
  return { observed: joinWalk(all, hashed), tooMany: false };
}

function joinWalk(walk: Walk, hashed: ReadonlyMap<string, HashedFile>): Observed[] {
  const changed = new Set(walk.findChanged());
  const unsearchable = new Map<string, string>();
  const files: Observed[] = [];
  for (const path of walk.seen) {
    const file = hashed.get(path) as HashedFile;
    if (file.state === "noStat" && getSystemErrorName(file.errno) === "EACCES") {
      unsearchable.set(parentOf(path) || ".", "EACCES");
    } else files.push(toFile(path, file));
  }
  const others = walk.observed.map((one) => withTrouble(one, changed, unsearchable));
  return [...others, ...files];
}

function withTrouble(
  one: Observed,
  changed: ReadonlySet<string>,
  unsearchable: ReadonlyMap<string, string>,
): Observed {
  const reason = unsearchable.get(one.path);
  if (one.trouble !== undefined || !one.utf8) return one;
  if (reason !== undefined) return { ...one, trouble: { kind: "unread", reason } };
  return changed.has(one.path) ? { ...one, trouble: { kind: "changed", reason: "changed" } } : one;
}

/** A listed name whose file was gone or of another kind a moment later has changed; so has one that lstat refuses oddly. */
function toFile(path: string, file: HashedFile): Observed {
  const kind = file.state === "noStat" ? "file" : toKind(file.mode);
  const { mode, device, inode, links, size, digest } = file;
  return { path, utf8: true, kind, mode, device, inode, links, size, digest, ...toTrouble(file) };
}

function toTrouble(file: HashedFile): Pick<Observed, "trouble"> | Record<string, never> {
  const reason = file.errno === 0 ? "changed" : getSystemErrorName(file.errno);
  if (file.state === "changed") return { trouble: { kind: "changed", reason: "changed" } };
  if (file.state === "noRead") return { trouble: { kind: "unread", reason } };
  if (file.state !== "noStat") return {};
  return { trouble: { kind: reason === "ENOENT" || reason === "ENOTDIR" ? "changed" : "unread", reason } };
}
