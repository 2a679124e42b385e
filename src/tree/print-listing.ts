import type { Entry } from "./entry.ts";

/** First line of a listing, version 1 (design 2). */
export const listingHeader = "sealpack-tree/v1";

/** One line of a listing with its newline. Also what a component's digest is made of. */
export function printEntry(entry: Entry): string {
  if (entry.type === "d") return `d\t-\t-\t${entry.path}\n`;
  return `${entry.type}\t${entry.size}\t${entry.digest}\t${entry.path}\n`;
}

/** The bytes of a listing. Prints the entries in the order given; `toListing` sorts and checks. */
export function printListing(entries: readonly Entry[]): Buffer {
  return Buffer.from(`${listingHeader}\n${entries.map(printEntry).join("")}`);
}
