import { createHash } from "node:crypto";
import type { Entry, Listing } from "./entry.ts";
import { treeError } from "./errors.ts";
import { parentOf } from "./path-rules.ts";
import { printEntry } from "./print-listing.ts";
import { showPath } from "./show-path.ts";

/** A file that a declared `place` moved to `path`; it belongs to the component at lock location `from`. */
export interface PlacedFile {
  readonly path: string;
  readonly from: string;
}

/**
 * Each lock location's component digest (design 2): SHA-256, 64 hex, of the listing lines strictly below it without
 * those below a nearer location, plus files placed from it, minus files placed there by others, in listing order.
 * @throws `tree.placed-not-listed`
 */
export function digestComponents(
  listing: Listing,
  locations: readonly string[],
  placed: readonly PlacedFile[],
): Map<string, string> {
  const origins = toOrigins(listing, locations, placed);
  const hashes = new Map(locations.map((location) => [location, createHash("sha256")]));
  const owner = ownerOf(locations);
  for (const entry of listing.entries) {
    hashes.get(origins.get(entry.path) ?? owner(entry.path))?.update(printEntry(entry));
  }
  return new Map(Array.from(hashes, ([location, hash]) => [location, hash.digest("hex")]));
}

/** Finds the nearest location strictly above a path; "" where there is none (launchers, `dist/`). */
export function ownerOf(locations: readonly string[]): (path: string) => string {
  const known = new Set(locations);
  const memory = new Map<string, string>([["", ""]]);
  const ownerBelow = (directory: string): string => {
    const remembered = memory.get(directory);
    if (remembered !== undefined) return remembered;
    const found = known.has(directory) ? directory : ownerBelow(parentOf(directory));
    memory.set(directory, found);
    return found;
  };
  return (path) => ownerBelow(parentOf(path));
}

function toOrigins(
  listing: Listing,
  locations: readonly string[],
  placed: readonly PlacedFile[],
): ReadonlyMap<string, string> {
  const files = new Map<string, Entry>(listing.entries.map((entry) => [entry.path, entry]));
  for (const { path, from } of placed) {
    const entry = files.get(path);
    if (entry !== undefined && entry.type !== "d" && locations.includes(from)) continue;
    throw treeError("tree.placed-not-listed", {
      subject: showPath(path),
      expected: `a listed file that came from a component, ${showPath(from)}`,
      got: entry === undefined ? "no line" : `type ${entry.type}`,
    });
  }
  return new Map(placed.map(({ path, from }) => [path, from]));
}
