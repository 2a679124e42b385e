import { lstat } from "node:fs/promises";
import { diffManifests, type ManifestDifference } from "../manifest/diff-manifests.ts";
import type { Entry, Listing } from "../tree/entry.ts";
import { comparePaths } from "../tree/path-order.ts";
import { printEntry } from "../tree/print-listing.ts";
import { assertPackThere, readListingFile, readManifestFile } from "./read-pack.ts";

/** One file that two listings do not agree on; `changed` covers its bytes and its execute bit. */
export interface FileDifference {
  readonly change: "added" | "removed" | "changed";
  readonly path: string;
}

export interface PackDifferences {
  readonly components: readonly ManifestDifference[];
  /** Empty where one side is a manifest alone: it names no files. */
  readonly files: readonly FileDifference[];
}

/**
 * How two packs, or two manifests, differ. Compares what they say of themselves; `verify` says whether that is true.
 * @throws pack.not-found, pack.interrupted-swap, and what parsing throws
 */
export async function diffPacks(left: string, right: string): Promise<PackDifferences> {
  const [a, b] = [await readSide(left), await readSide(right)];
  const components = diffManifests(a.manifest.payload, b.manifest.payload);
  const files = a.listing === undefined || b.listing === undefined ? [] : diffListings(a.listing, b.listing);
  return { components, files };
}

async function readSide(path: string) {
  const isFile = await lstat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
  if (isFile) return { manifest: await readManifestFile(path), listing: undefined };
  await assertPackThere(path);
  return { manifest: await readManifestFile(path), listing: await readListingFile(path) };
}

export function diffListings(left: Listing, right: Listing): FileDifference[] {
  const before = toLines(left.entries);
  const after = toLines(right.entries);
  const differences: FileDifference[] = [];
  for (const [path, line] of before) {
    const other = after.get(path);
    if (other === undefined) differences.push({ change: "removed", path });
    else if (other !== line) differences.push({ change: "changed", path });
  }
  for (const path of after.keys()) if (!before.has(path)) differences.push({ change: "added", path });
  return differences.sort((one, two) => comparePaths(one.path, two.path));
}

function toLines(entries: readonly Entry[]): Map<string, string> {
  return new Map(entries.map((entry) => [entry.path, printEntry(entry)]));
}
