import type { TransformOptions } from "node:stream";
import { pipeline } from "node:stream/promises";
import { crc32, createInflateRaw, type ZlibOptions } from "node:zlib";
import { isSealpackError } from "../errors.ts";
import { type ArchiveSource, chunkBytes, readAt, readRange } from "./archive-source.ts";
import { archiveError } from "./errors.ts";
import { assertGzipTrailer, gzipTrailerBytes, parseGzipHeader } from "./gzip.ts";

/** The second option is the stream's: zlib works on the next chunk while this one is written. */
const inflateOptions: ZlibOptions & TransformOptions = {
  chunkSize: chunkBytes,
  highWaterMark: 2 * chunkBytes,
};

/** An extra field has at most 64 KiB; names longer than the rest do not occur. */
const headBytes = 65 * 1024;

/**
 * Unpacks the one gzip member that must fill the file: what lies between its header and the last eight bytes is all
 * deflate data. zlib's own gunzip would go on with a second member and pass over what follows.
 * @throws archive.gzip-*, and whatever `push` throws
 */
export async function inflateMember(source: ArchiveSource, push: (chunk: Buffer) => void): Promise<void> {
  const { label, size } = source;
  const start = parseGzipHeader(await readAt(source, 0, Math.min(size, headBytes)), label);
  const end = size - gzipTrailerBytes;
  if (end <= start) throw truncated(label);
  const seen = { crc: 0, bytes: 0 };
  await inflateRange(source, start, end, (chunk) => {
    seen.crc = crc32(chunk, seen.crc);
    seen.bytes += chunk.length;
    push(chunk);
  });
  assertGzipTrailer(await readAt(source, end, gzipTrailerBytes), seen, label);
}

async function inflateRange(
  source: ArchiveSource,
  start: number,
  end: number,
  push: (chunk: Buffer) => void,
): Promise<void> {
  const inflate = createInflateRaw(inflateOptions);
  const consume = async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) push(chunk);
  };
  try {
    const signal = source.signal === undefined ? {} : { signal: source.signal };
    await pipeline(readRange(source, start, end), inflate, consume, signal);
  } catch (error) {
    throw toGzipError(error, source.label);
  }
  const left = end - start - inflate.bytesWritten;
  if (left === 0) return;
  throw archiveError("archive.gzip-trailing", {
    subject: source.label,
    expected: "one gzip member",
    got: `${left} more bytes`,
  });
}

function toGzipError(error: unknown, subject: string): unknown {
  if (isSealpackError(error)) return error;
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "Z_BUF_ERROR") return truncated(subject);
  if (code?.startsWith("Z_") !== true) return error;
  return archiveError("archive.gzip-data", { subject, expected: "deflate data", got: code, cause: error });
}

function truncated(subject: string) {
  const got = "its beginning";
  return archiveError("archive.gzip-truncated", { subject, expected: "a whole gzip member", got });
}
