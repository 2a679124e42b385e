import { isSealpackError } from "../errors.ts";
import { diffTree } from "./diff-tree.ts";
import type { Listing } from "./entry.ts";
import type { Finding } from "./finding.ts";
import { treeLimits } from "./limits.ts";
import { observeExpected } from "./observe-tree.ts";

/**
 * Compares a whole tree with its listing: content, size, kind, mode, links, missing and extra. Reads only, never
 * follows a link, never blocks. `sealpack.json` and `sealpack.tree` at the root are held to kind and mode alone.
 * Empty means that everything was checked and nothing is wrong; sorted by path bytes, then code.
 */
export async function verifyTree(root: string, listing: Listing): Promise<readonly Finding[]> {
  const files = listing.entries.filter((entry) => entry.type !== "d");
  const directories = new Set(
    listing.entries.filter((entry) => entry.type === "d").map((entry) => entry.path),
  );
  try {
    const { observed, tooMany } = await observeExpected(root, files, directories);
    return tooMany ? [tooManyEntries()] : diffTree(listing, observed);
  } catch (error) {
    if (!isSealpackError(error)) throw error;
    return [{ code: error.code, path: ".", expected: "a directory", got: "none" }];
  }
}

/** Alone: where the walk stopped, what it did not see is not missing. */
function tooManyEntries(): Finding {
  const expected = `at most ${treeLimits.entries} entries`;
  return { code: "tree.too-many-entries", path: ".", expected, got: "more" };
}
