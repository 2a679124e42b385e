import { createHash } from "node:crypto";
import { digestComponents, ownerOf, type PlacedFile } from "../tree/digest-components.ts";
import type { Entry, Listing } from "../tree/entry.ts";
import { comparePaths } from "../tree/path-order.ts";
import { printEntry } from "../tree/print-listing.ts";
import type { ExpectedPayload } from "./types.ts";

/** 2^6 trials per component at most; the real pack has two candidates. */
const maxCandidates = 6;

/**
 * Which declared files a `place` moved, and out of which component. A manifest does not record that, but its component
 * digests prove it: a component whose plain lines have another digest must have gained or lost declared files. Only an
 * interpreter, executable or entry can be found; what stays unexplained is left for the caller to report.
 */
export function findPlaced(payload: ExpectedPayload, listing: Listing): PlacedFile[] {
  const locations = Object.keys(payload.components);
  const plain = digestComponents(listing, locations, []);
  const wrong = locations.filter((location) => plain.get(location) !== payload.components[location]?.digest);
  if (wrong.length === 0) return [];
  const owner = ownerOf(locations);
  const candidates = declaredFiles(payload, listing)
    .filter((entry) => owner(entry.path) === "" || wrong.includes(owner(entry.path)))
    .slice(0, maxCandidates);
  return wrong.flatMap((location) => {
    const own = listing.entries.filter((entry) => owner(entry.path) === location);
    const wanted = payload.components[location]?.digest ?? "";
    return findGained(own, candidates, wanted).map((entry) => ({ path: entry.path, from: location }));
  });
}

function declaredFiles({ commands, interpreter }: ExpectedPayload, listing: Listing): Entry[] {
  const paths = new Set(
    Object.values(commands).flatMap(({ executable, entry }) => [executable.path, entry?.path]),
  );
  if ("path" in interpreter) paths.add(interpreter.path);
  return listing.entries.filter((entry) => entry.type !== "d" && paths.has(entry.path));
}

/** The candidates that a component has besides its own lines, if some exchange of candidates gives its digest. */
function findGained(own: readonly Entry[], candidates: readonly Entry[], wanted: string): Entry[] {
  for (let choice = 1; choice < 2 ** candidates.length; choice += 1) {
    const moved = candidates.filter((_, index) => (choice >> index) % 2 === 1);
    const gained = moved.filter((entry) => !own.includes(entry));
    const kept = own.filter((entry) => !moved.includes(entry));
    if (digestEntries([...kept, ...gained]) === wanted) return gained;
  }
  return [];
}

function digestEntries(entries: readonly Entry[]): string {
  const hash = createHash("sha256");
  for (const entry of [...entries].sort((a, b) => comparePaths(a.path, b.path)))
    hash.update(printEntry(entry));
  return hash.digest("hex");
}
