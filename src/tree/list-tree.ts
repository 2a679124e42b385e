import { assertPath } from "./assert-entries.ts";
import { diffTree } from "./diff-tree.ts";
import type { Entry, Listing } from "./entry.ts";
import { type TreeCode, treeError } from "./errors.ts";
import { controlFiles, treeLimits } from "./limits.ts";
import { observeAll } from "./observe-tree.ts";
import type { Observed } from "./observed.ts";
import { toListing } from "./to-listing.ts";

/**
 * Lists and hashes a tree that is to be sealed. `sealpack.json` and `sealpack.tree` at the root are left out.
 * @throws `tree.*` for the first thing, by path, that cannot stand in a sealed pack.
 */
export async function listTree(root: string): Promise<Listing> {
  const { observed, tooMany } = await observeAll(root);
  if (tooMany) {
    throw treeError("tree.too-many-entries", {
      subject: root,
      expected: `at most ${treeLimits.entries} entries`,
      got: "more",
    });
  }
  const inside = observed.filter((one) => one.path !== "." && !isControlFile(one));
  for (const one of inside) assertSealable(one);
  const listing = toListing(inside.map(toEntry));
  assertSound(listing, observed);
  return listing;
}

function isControlFile(one: Observed): boolean {
  return one.utf8 && (controlFiles as readonly string[]).includes(one.path);
}

function assertSealable(one: Observed): void {
  if (!one.utf8) {
    throw treeError("tree.path-not-utf8", {
      subject: one.path,
      expected: "a name in UTF-8",
      got: "other bytes",
    });
  }
  assertPath(one.path);
  if (one.kind === "file" || one.kind === "directory") return;
  throw treeError("tree.not-sealable", {
    subject: one.path,
    expected: "a regular file or a directory",
    got: one.kind,
  });
}

/** A file with any execute bit is meant to be `x`: some but not all is then found by the mode rules. */
function toEntry(one: Observed): Entry {
  if (one.kind === "directory") return { type: "d", size: 0, digest: "", path: one.path };
  const type = (one.mode & 0o111) === 0 ? "f" : "x";
  return { type, size: one.size, digest: one.digest, path: one.path };
}

/** The tree against its own listing: what is left are modes, links, and what could not be read. */
function assertSound(listing: Listing, observed: readonly Observed[]): void {
  const [first] = diffTree(listing, observed);
  if (first === undefined) return;
  throw treeError(first.code as TreeCode, { subject: first.path, expected: first.expected, got: first.got });
}
