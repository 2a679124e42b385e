import type { Entry, Listing } from "./entry.ts";
import type { TreeCode } from "./errors.ts";
import type { Finding } from "./finding.ts";
import { controlFiles } from "./limits.ts";
import { modeProblems, showMode } from "./mode-rules.ts";
import type { Kind, Observed } from "./observed.ts";
import { comparePaths } from "./path-order.ts";
import { parentOf } from "./path-rules.ts";
import { showPath } from "./show-path.ts";

/**
 * Everything in which a tree differs from its listing, one code per cause, sorted by path bytes, then code. What stands
 * below a directory that is absent, extra, of another kind or unreadable is covered by that directory's finding.
 */
export function diffTree(expected: Listing, observed: readonly Observed[]): Finding[] {
  const byPath = new Map(observed.filter((one) => one.utf8).map((one) => [one.path, one]));
  const inside = countLinks(observed);
  const covered = new Set<string>();
  const findings = diffRoot(byPath, covered);
  for (const entry of expected.entries) {
    if (covered.has(parentOf(entry.path) || ".")) covered.add(entry.path);
    else findings.push(...diffEntry(entry, byPath.get(entry.path), inside, covered));
  }
  for (const name of controlFiles) {
    const one = byPath.get(name);
    if (one !== undefined) findings.push(...diffPlain({ ...controlEntry, path: name }, one, inside));
  }
  findings.push(...findExtras(expected, observed));
  return findings.sort(compareFindings);
}

/** Orders findings by the bytes of their paths, then by code. */
export function compareFindings(a: Finding, b: Finding): number {
  return comparePaths(a.path, b.path) || comparePaths(a.code, b.code);
}

const controlEntry: Entry = { type: "f", size: -1, digest: "", path: "" };
const rootEntry: Entry = { type: "d", size: 0, digest: "", path: "." };

function diffRoot(byPath: ReadonlyMap<string, Observed>, covered: Set<string>): Finding[] {
  return diffEntry(rootEntry, byPath.get("."), new Map(), covered);
}

function diffEntry(
  entry: Entry,
  one: Observed | undefined,
  inside: ReadonlyMap<string, number>,
  covered: Set<string>,
): Finding[] {
  const isDirectory = entry.type === "d";
  if (one === undefined) {
    if (isDirectory) covered.add(entry.path);
    const code = isDirectory ? "tree.missing-directory" : "tree.missing-file";
    return [finding(code, entry.path, describe(entry), "nothing")];
  }
  if (isDirectory && (one.kind !== "directory" || one.trouble?.kind === "unread")) covered.add(entry.path);
  return diffPlain(entry, one, inside);
}

/** One entry that is there: kind first, and nothing else where that differs. */
function diffPlain(entry: Entry, one: Observed, inside: ReadonlyMap<string, number>): Finding[] {
  const gone = one.trouble !== undefined && one.mode === 0;
  if (gone) return diffTrouble(entry, one, false);
  if (one.kind !== (entry.type === "d" ? "directory" : "file")) {
    return [finding(typeCodes[one.kind], entry.path, describe(entry), describeKind(one.kind))];
  }
  const modes = diffMode(entry, one);
  const dark = modes.some(
    ({ code }) => code === "tree.mode-unreadable" || code === "tree.mode-not-searchable",
  );
  return [
    ...modes,
    ...diffTrouble(entry, one, dark),
    ...diffContent(entry, one),
    ...diffLinks(entry, one, inside),
  ];
}

function diffMode(entry: Entry, one: Observed): Finding[] {
  return modeProblems(one.mode, entry.type).map(({ code, expected }) =>
    finding(code, entry.path, expected, `mode ${showMode(one.mode)}`),
  );
}

/** `dark`: the mode already says why it could not be read. */
function diffTrouble(entry: Entry, one: Observed, dark: boolean): Finding[] {
  if (one.trouble === undefined) return [];
  if (one.trouble.kind === "changed") {
    return [finding("tree.changed-while-read", entry.path, "no change while it is read", "a change")];
  }
  if (dark) return [];
  const code = entry.type === "d" ? "tree.cannot-read-directory" : "tree.cannot-read-file";
  return [finding(code, entry.path, "read permission", one.trouble.reason)];
}

function diffContent(entry: Entry, one: Observed): Finding[] {
  if (entry.type === "d" || entry.size < 0 || one.trouble !== undefined) return [];
  if (one.size !== entry.size) {
    return [finding("tree.size", entry.path, `${entry.size} bytes`, `${one.size} bytes`)];
  }
  if (one.digest === entry.digest) return [];
  return [finding("tree.content", entry.path, `SHA-256 ${entry.digest}`, one.digest)];
}

function diffLinks(entry: Entry, one: Observed, inside: ReadonlyMap<string, number>): Finding[] {
  const known = inside.get(linkKey(one)) ?? 1;
  if (one.kind !== "file" || one.links <= known) return [];
  return [
    finding("tree.hard-link-outside", entry.path, `${known} link(s), all inside`, `${one.links} links`),
  ];
}

/** How many names inside the tree each file has. */
function countLinks(observed: readonly Observed[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of observed) {
    if (one.kind !== "file" || one.links < 2) continue;
    counts.set(linkKey(one), (counts.get(linkKey(one)) ?? 0) + 1);
  }
  return counts;
}

function linkKey(one: Observed): string {
  return `${one.device}:${one.inode}`;
}

function findExtras(expected: Listing, observed: readonly Observed[]): Finding[] {
  const known = new Set<string>([".", ...controlFiles, ...expected.entries.map((entry) => entry.path)]);
  return observed
    .filter((one) => !one.utf8 || !known.has(one.path))
    .map((one) => {
      const code = one.utf8 ? extraCodes[one.kind] : "tree.extra-not-utf8";
      const path = one.utf8 ? showPath(one.path) : one.path;
      return { code, path, expected: "nothing", got: describeKind(one.kind) };
    });
}

const typeCodes: Readonly<Record<Kind, TreeCode>> = {
  file: "tree.type-file",
  directory: "tree.type-directory",
  link: "tree.type-link",
  fifo: "tree.type-special",
  socket: "tree.type-special",
  device: "tree.type-special",
};

const extraCodes: Readonly<Record<Kind, TreeCode>> = {
  file: "tree.extra-file",
  directory: "tree.extra-directory",
  link: "tree.extra-link",
  fifo: "tree.extra-special",
  socket: "tree.extra-special",
  device: "tree.extra-special",
};

function describe(entry: Entry): string {
  return entry.type === "d" ? "a directory" : "a file";
}

function describeKind(kind: Kind): string {
  return {
    file: "a file",
    directory: "a directory",
    link: "a symbolic link",
    fifo: "a FIFO",
    socket: "a socket",
    device: "a device",
  }[kind];
}

function finding(code: TreeCode, path: string, expected: string, got: string): Finding {
  return { code, path: showPath(path), expected, got };
}
