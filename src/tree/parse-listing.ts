import { createHash } from "node:crypto";
import { assertEntries, sumSizes, tooLarge } from "./assert-entries.ts";
import type { Entry, EntryType, Listing } from "./entry.ts";
import { treeError } from "./errors.ts";
import { treeLimits } from "./limits.ts";
import { listingHeader } from "./print-listing.ts";
import { decodeName, showPath } from "./show-path.ts";

/**
 * The bytes of a `sealpack.tree`, version 1 (design 2), which whoever made the pack controls. The grammar leaves one
 * spelling per listing, so the digest of the bytes is the digest of the content.
 * @throws `tree.listing-*`, `tree.path-*`
 */
export function parseListing(bytes: Uint8Array): Listing {
  if (bytes.length > treeLimits.listingBytes) throw tooLarge("bytes", treeLimits.listingBytes, bytes.length);
  const lines = toLines(bytes);
  const entries = lines.map(parseLine);
  assertEntries(entries);
  const digest = createHash("sha256").update(bytes).digest("hex");
  return { entries, digest, bytes: sumSizes(entries) };
}

function toLines(bytes: Uint8Array): string[] {
  const text = decodeName(bytes);
  if (text === undefined) throw wrong("tree.listing-not-utf8", "valid UTF-8", "other bytes");
  // Header, entries and the end's empty text: what is split beyond them is one too many, however many follow.
  const lines = text.split("\n", treeLimits.entries + 3);
  if (lines[0] !== listingHeader) throw wrong("tree.listing-version", listingHeader, clip(lines[0] ?? ""));
  if (lines.length - 2 > treeLimits.entries) throw tooLarge("entries", treeLimits.entries, lines.length - 2);
  if (lines.pop() !== "") throw wrong("tree.listing-end", "a newline at the end", "none");
  return lines.slice(1);
}

const directoryLine = /^d\t-\t-\t([^\t]+)$/;
const fileLine = /^([fx])\t(0|[1-9][0-9]{0,15})\t([0-9a-f]{64})\t([^\t]+)$/;

function parseLine(line: string): Entry {
  const directory = directoryLine.exec(line);
  if (directory !== null) return { type: "d", size: 0, digest: "", path: directory[1] as string };
  const file = fileLine.exec(line);
  const size = Number(file?.[2]);
  if (file === null || !Number.isSafeInteger(size)) {
    throw wrong("tree.listing-line", "type, size, digest and path with one TAB between", clip(line));
  }
  return { type: file[1] as EntryType, size, digest: file[3] as string, path: file[4] as string };
}

function clip(text: string): string {
  return JSON.stringify(showPath(text.slice(0, 200)));
}

function wrong(code: Parameters<typeof treeError>[0], expected: string, got: string) {
  return treeError(code, { subject: "listing", expected, got });
}
