/** What a commit or the index holds at a path. */
export interface TrackedEntry {
  /** Git's octal mode: 100644, 100755, 120000 (link), 160000 (submodule). */
  readonly mode: string;
  /** The blob's id: 40 hex digits, or 64 in a SHA-256 repository. */
  readonly id: string;
}

export type TrackedEntries = ReadonlyMap<string, TrackedEntry>;

/** `mode type id<TAB>path` records of `git ls-tree -r -z`, NUL after each. */
export function parseTree(output: string): TrackedEntries {
  return new Map(
    toRecords(output).map(({ facts: [mode = "", , id = ""], path }) => [path, { mode, id }] as const),
  );
}

/** `mode id stage<TAB>path` records of `git ls-files -s -z`; an unmerged path has none that equals a commit's. */
export function parseIndex(output: string): TrackedEntries {
  return new Map(
    toRecords(output).map(({ facts: [mode = "", id = "", stage], path }) => {
      return [path, stage === "0" ? { mode, id } : { mode: "unmerged", id: "" }] as const;
    }),
  );
}

/** Paths of `git ls-files --directory -z`, without the slash that marks a folder. */
export function parsePaths(output: string): ReadonlySet<string> {
  return new Set(toFields(output).map((path) => path.replace(/\/$/, "")));
}

function toRecords(output: string): { facts: string[]; path: string }[] {
  return toFields(output).map((record) => {
    const tab = record.indexOf("\t");
    return { facts: record.slice(0, tab).split(" "), path: record.slice(tab + 1) };
  });
}

function toFields(output: string): string[] {
  return output.split("\0").filter((field) => field !== "");
}
