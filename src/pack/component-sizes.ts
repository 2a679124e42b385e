import { ownerOf, type PlacedFile } from "../tree/digest-components.ts";
import type { Listing } from "../tree/entry.ts";

/** Bytes of each component's own files, by lock location; a placed file counts where it came from (design 2). */
export function toComponentSizes(
  listing: Listing,
  locations: readonly string[],
  placed: readonly PlacedFile[],
): Map<string, number> {
  const sizes = new Map(locations.map((location) => [location, 0]));
  const origins = new Map(placed.map(({ path, from }) => [path, from]));
  const toOwner = ownerOf(locations);
  for (const entry of listing.entries) {
    const owner = origins.get(entry.path) ?? toOwner(entry.path);
    if (owner !== "") sizes.set(owner, (sizes.get(owner) ?? 0) + entry.size);
  }
  return sizes;
}
