import { createHash } from "node:crypto";
import { assertEntries, sumSizes } from "./assert-entries.ts";
import type { Entry, Listing } from "./entry.ts";
import { comparePaths } from "./path-order.ts";
import { printListing } from "./print-listing.ts";

/**
 * Entries in any order to a listing with its digest.
 * @throws `tree.path-*`, `tree.listing-*` where the entries cannot stand in a listing.
 */
export function toListing(entries: readonly Entry[]): Listing {
  const sorted = [...entries].sort((a, b) => comparePaths(a.path, b.path));
  assertEntries(sorted);
  const digest = createHash("sha256").update(printListing(sorted)).digest("hex");
  return { entries: sorted, digest, bytes: sumSizes(sorted) };
}
