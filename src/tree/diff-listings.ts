import type { Entry, Listing } from "./entry.ts";
import { comparePaths } from "./path-order.ts";

/** One path at which two listings differ; a side without the path is undefined. */
export interface ListingDifference {
  readonly path: string;
  readonly left: Entry | undefined;
  readonly right: Entry | undefined;
}

/** In what two listings differ, in the order of the bytes of the paths. */
export function diffListings(a: Listing, b: Listing): ListingDifference[] {
  const left = toMap(a);
  const right = toMap(b);
  const paths = [...new Set([...left.keys(), ...right.keys()])].sort(comparePaths);
  return paths
    .map((path) => ({ path, left: left.get(path), right: right.get(path) }))
    .filter((one) => !isSame(one.left, one.right));
}

function toMap(listing: Listing): Map<string, Entry> {
  return new Map(listing.entries.map((entry) => [entry.path, entry]));
}

function isSame(a: Entry | undefined, b: Entry | undefined): boolean {
  return a?.type === b?.type && a?.size === b?.size && a?.digest === b?.digest;
}
