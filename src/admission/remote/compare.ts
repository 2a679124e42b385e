import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { zstdDecompressSync } from "node:zlib";
import type { Listing } from "../../tree/entry.ts";
import { treeLimits } from "../../tree/limits.ts";
import { parseListing } from "../../tree/parse-listing.ts";
import { printBits } from "./bit-set.ts";
import { copyIfSame } from "./copy-file.ts";
import { keepFresh } from "./keep-fresh.ts";
import type { CompareArguments, StageAnswer } from "./stage-arguments.ts";
import { StageFailure } from "./stage-failure.ts";

/**
 * Takes the expected listing and makes of the tree what the sandbox already has: every file is hashed while it is copied, so that it does
 * not matter whose files they are.
 */
export async function compare(args: CompareArguments, input: AsyncIterable<Buffer>): Promise<StageAnswer> {
  const pack = `${args.directory}/pack`;
  const bytes = await readListing(input);
  const listing = parseBound(bytes, args.treeDigest);
  writeFileSync(`${pack}/sealpack.tree`, bytes, { mode: 0o644, flag: "wx" });
  chmodSync(`${pack}/sealpack.tree`, 0o644);
  makeDirectories(pack, listing);
  const missing = copyKnown(args, pack, listing);
  const files = listing.entries.filter(({ type }) => type !== "d").length;
  return {
    kind: "compared",
    missing: printBits(missing, listing.entries.length),
    kept: files - missing.length,
  };
}

/** A listing that the manifest binds, or none. */
export function parseBound(bytes: Uint8Array, digest: string): Listing {
  const got = createHash("sha256").update(bytes).digest("hex");
  if (got === digest) return parseListing(bytes);
  throw new StageFailure("input", `listing: expected SHA-256 ${digest}, got ${got}`);
}

async function readListing(input: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of input) {
    length += chunk.length;
    if (length > treeLimits.listingBytes) throw new StageFailure("input", "listing: too large");
    chunks.push(chunk);
  }
  try {
    return zstdDecompressSync(Buffer.concat(chunks), { maxOutputLength: treeLimits.listingBytes });
  } catch (error) {
    throw new StageFailure("input", `listing: ${error instanceof Error ? error.message : "cut off"}`);
  }
}

/** Parents come before children in a listing. The interpreter's own directories are there already. */
function makeDirectories(pack: string, listing: Listing): void {
  chmodSync(pack, 0o755);
  for (const { type, path } of listing.entries) {
    if (type !== "d") continue;
    mkdirSync(`${pack}/${path}`, { recursive: true, mode: 0o755 });
    chmodSync(`${pack}/${path}`, 0o755);
  }
}

/** The indexes of the files that no source has. The interpreter that runs this stands in the tree before it is filled. */
function copyKnown({ sources, directory }: CompareArguments, pack: string, listing: Listing): number[] {
  const fresh = keepFresh(directory);
  const missing: number[] = [];
  for (const [index, entry] of listing.entries.entries()) {
    if (entry.type === "d") continue;
    const target = `${pack}/${entry.path}`;
    const has =
      existsSync(target) || sources.some((source) => copyIfSame(`${source}/${entry.path}`, target, entry));
    if (!has) missing.push(index);
    fresh();
  }
  return missing;
}
