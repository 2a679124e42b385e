import { readGit } from "./git.ts";

/** What of the pack a commit must hold before its hash may stand in a manifest. */
export interface CheckedInputs {
  /** Files that the build reads; each must be tracked. */
  readonly files: readonly string[];
  /** Folders in which nothing may be staged, changed or untracked. */
  readonly folders: readonly string[];
}

/**
 * The inputs that differ from HEAD, as paths below `top`, sorted: staged, unstaged, untracked, ignored though the build
 * reads them, or hidden from `git status` by an assume-unchanged or skip-worktree mark.
 */
export async function findDirty(top: string, inputs: CheckedInputs): Promise<string[] | undefined> {
  const all = [...inputs.files, ...inputs.folders];
  const status = await readGit(top, [
    "status",
    "--porcelain=v1",
    "-z",
    "--untracked-files=all",
    "--no-renames",
    "--",
    ...all,
  ]);
  const listed = await readGit(top, ["ls-files", "-v", "-z", "--", ...all]);
  if (!status.ok || !listed.ok) return undefined;
  const tracked = parseTracked(listed.stdout);
  const untracked = inputs.files.filter((file) => !tracked.plain.has(file) && !tracked.hidden.has(file));
  return [...new Set([...parseStatus(status.stdout), ...tracked.hidden, ...untracked])].sort();
}

/** `XY path` records, NUL between them; renames are switched off, so each record has one path. */
export function parseStatus(output: string): string[] {
  return output
    .split("\0")
    .filter((record) => record.length > 3)
    .map((record) => record.slice(3));
}

/** `T path` records: `H` is a plain tracked file; lower case is assume-unchanged, `S` skip-worktree. */
export function parseTracked(output: string): { plain: ReadonlySet<string>; hidden: ReadonlySet<string> } {
  const plain = new Set<string>();
  const hidden = new Set<string>();
  for (const record of output.split("\0").filter((line) => line.length > 2)) {
    (record.startsWith("H ") ? plain : hidden).add(record.slice(2));
  }
  return { plain, hidden };
}
