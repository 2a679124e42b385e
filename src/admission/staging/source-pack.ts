import { createHash } from "node:crypto";
import { constants, createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { isSealpackError } from "../../errors.ts";
import { maxManifestBytes } from "../../manifest/parse-document.ts";
import { readControlFile } from "../../manifest/read-control-file.ts";
import type { Entry, Listing } from "../../tree/entry.ts";
import { treeLimits } from "../../tree/limits.ts";
import { parseListing } from "../../tree/parse-listing.ts";
import type { ExpectedPack } from "../expected-pack.ts";
import { toRefusal } from "../reason.ts";

/** The controller's own pack on this host, of which only bytes are read. */
export interface SourcePack {
  readonly root: string;
  readonly manifest: Buffer;
  readonly listingBytes: Buffer;
  readonly listing: Listing;
}

/** @throws `admission.source-unsound` where the directory does not hold the expected pack */
export function readSourcePack(root: string, expected: ExpectedPack): SourcePack {
  try {
    const manifest = readControlFile(root, "sealpack.json", maxManifestBytes);
    const listingBytes = readControlFile(root, "sealpack.tree", treeLimits.listingBytes);
    assertDigest("sealpack.json", manifest, expected.manifestSha256);
    assertDigest("sealpack.tree", listingBytes, expected.manifest.payload.tree.digest);
    return { root, manifest, listingBytes, listing: parseListing(listingBytes) };
  } catch (error) {
    if (!isSealpackError(error) || error.code === "admission.source-unsound") throw error;
    throw unsound(root, "the expected pack", `${error.code}: ${error.message}`);
  }
}

function assertDigest(name: string, bytes: Uint8Array, expected: string): void {
  const got = createHash("sha256").update(bytes).digest("hex");
  if (got !== expected) throw unsound(name, `SHA-256 ${expected}`, got);
}

/**
 * One file's bytes. What is sent is hashed on its way: a source that differs from its manifest is this host's fault, and is said to be.
 * @throws `admission.source-unsound`
 */
export async function* readSourceFile(root: string, entry: Entry): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  const handle = await open(
    join(root, entry.path),
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
  ).catch((cause: NodeJS.ErrnoException) => {
    throw unsound(entry.path, "a readable file", cause.code ?? cause.message);
  });
  try {
    const stats = await handle.stat();
    if (!stats.isFile() || stats.size !== entry.size) {
      throw unsound(
        entry.path,
        `a file of ${entry.size} bytes`,
        stats.isFile() ? `${stats.size}` : "no file",
      );
    }
    const stream = createReadStream("", {
      fd: handle.fd,
      autoClose: false,
      start: 0,
      end: Math.max(0, entry.size - 1),
      highWaterMark: 1024 * 1024,
    });
    if (entry.size > 0) {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        hash.update(chunk);
        yield chunk;
      }
    }
  } finally {
    await handle.close();
  }
  const got = hash.digest("hex");
  if (got !== entry.digest) throw unsound(entry.path, `SHA-256 ${entry.digest}`, got);
}

function unsound(subject: string, expected: string, got: string) {
  return toRefusal("admission.source-unsound", { subject, expected, got });
}
