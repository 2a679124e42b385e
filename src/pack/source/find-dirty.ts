import { join } from "node:path";
import { comparePaths } from "../../tree/path-order.ts";
import { readFileBlob, toBlobId, toObjectFormat } from "./blob-id.ts";
import { readGit } from "./git.ts";
import {
  parseIndex,
  parsePaths,
  parseTree,
  type TrackedEntries,
  type TrackedEntry,
} from "./parse-git-lists.ts";
import { type Repository, toAnswer } from "./read-repository.ts";
import { type InputKind, walkInputs } from "./walk-inputs.ts";

/** What of a working tree a commit must hold before its hash may stand in a manifest. Paths below the top; "" is it. */
export interface CheckedInputs {
  /** Files that the build reads; each must be in the commit, ignored or not. */
  readonly files: readonly string[];
  /** Files and folders in which nothing may be staged, changed, untracked or a link. */
  readonly roots: readonly string[];
  /** The bytes that the build has read from a file already: they, too, must be the commit's. */
  readonly read: ReadonlyMap<string, Uint8Array>;
}

/**
 * The inputs that differ from the commit, as `path (how)`, sorted. The files' own bytes are compared, by their blob ids:
 * asking git would run the content filters that the repository's configuration names. So a file that a filter or a line
 * ending conversion changes on checkout counts as changed: the build reads other bytes than the commit holds. Marks in
 * the index (assume-unchanged, skip-worktree) hide nothing.
 * @throws pack.git-failed
 */
export async function findDirty(repository: Repository, inputs: CheckedInputs): Promise<string[]> {
  const { committed, staged, ignored } = await readLists(repository, [...inputs.roots, ...inputs.files]);
  const isSkipped = (path: string) => !committed.has(path) && isBelowAny(path, ignored, committed);
  const present = new Map([
    ...(await walkInputs(repository.top, inputs.roots, isSkipped)),
    ...(await walkInputs(repository.top, inputs.files, () => false)),
  ]);
  const findings: string[] = [];
  for (const path of new Set([...present.keys(), ...committed.keys(), ...staged.keys(), ...inputs.files])) {
    const how =
      (await compareFile(repository, path, present.get(path), committed.get(path))) ??
      compareRead(inputs.read.get(path), committed.get(path)) ??
      compareStaged(staged.get(path), committed.get(path)) ??
      (inputs.files.includes(path) && !committed.has(path) ? "missing" : undefined);
    if (how !== undefined) findings.push(`${path} (${how})`);
  }
  return findings.sort(comparePaths);
}

async function compareFile(
  { top, revision }: Repository,
  path: string,
  kind: InputKind | undefined,
  committed: TrackedEntry | undefined,
): Promise<string | undefined> {
  if (kind === "beyond-limit") return "too many files to compare";
  if (kind === "link") return "a link: the commit does not hold what it leads to";
  if (committed === undefined) return kind === undefined ? undefined : "not in the commit";
  if (kind === undefined) return committed.mode === "160000" ? "a submodule" : "missing";
  if (kind !== "file") return kind === "special" ? "no regular file" : kind;
  const blob = await readFileBlob(join(top, path), toObjectFormat(revision)).catch(() => undefined);
  if (blob === undefined) return "unreadable";
  if (blob.id !== committed.id) return "changed";
  return committed.mode === (blob.executable ? "100755" : "100644") ? undefined : "another mode";
}

function compareRead(bytes: Uint8Array | undefined, committed: TrackedEntry | undefined): string | undefined {
  if (bytes === undefined || committed === undefined) return undefined;
  return toBlobId(bytes, toObjectFormat(committed.id)) === committed.id
    ? undefined
    : "changed when it was read";
}

function compareStaged(staged: TrackedEntry | undefined, committed: TrackedEntry | undefined) {
  return staged?.id === committed?.id && staged?.mode === committed?.mode ? undefined : "staged";
}

interface GitLists {
  readonly committed: TrackedEntries;
  readonly staged: TrackedEntries;
  readonly ignored: ReadonlySet<string>;
}

/** Three listings of names and ids; none reads a working file, so none runs a filter. */
async function readLists({ top, revision }: Repository, paths: readonly string[]): Promise<GitLists> {
  const limits = paths.includes("") ? [] : ["--", ...paths];
  // One path alone, in an ignored folder, is an internal error of git's; a second one at the top avoids it.
  const ignoredLimits = paths.includes("") ? [] : [...limits, ".gitignore"];
  const exclude = ["--others", "--ignored", "--exclude-standard", "--directory"];
  const list = async (...args: string[]) => toAnswer(await readGit(top, args), top);
  const [tree, index, ignored] = await Promise.all([
    list("ls-tree", "-r", "-z", "--full-tree", revision, ...limits),
    list("ls-files", "-s", "-z", ...limits),
    list("ls-files", "-z", ...exclude, ...ignoredLimits),
  ]);
  return { committed: parseTree(tree), staged: parseIndex(index), ignored: parsePaths(ignored) };
}

/** Ignored itself or in an ignored folder; git names only the outermost. A folder with committed files is never one. */
function isBelowAny(path: string, ignored: ReadonlySet<string>, committed: TrackedEntries): boolean {
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
    if (ignored.has(path.slice(0, end)) && !hasBelow(path, committed)) return true;
  }
  return false;
}

function hasBelow(folder: string, committed: TrackedEntries): boolean {
  for (const path of committed.keys()) if (path.startsWith(`${folder}/`)) return true;
  return false;
}
