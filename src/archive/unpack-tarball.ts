import { type BigIntStats, chmodSync, constants, mkdirSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { TransformOptions } from "node:stream";
import { pipeline } from "node:stream/promises";
import { crc32, createInflateRaw, type ZlibOptions } from "node:zlib";
import { isSealpackError } from "../errors.ts";
import { archiveError } from "./errors.ts";
import { FileSink } from "./file-sink.ts";
import { assertGzipTrailer, gzipTrailerBytes, parseGzipHeader } from "./gzip.ts";
import { IntegrityCheck, parseIntegrity } from "./integrity.ts";
import { defaultLimits, type Limits } from "./limits.ts";
import { TarReader } from "./tar-reader.ts";

export interface UnpackJob {
  /** The cached archive. */
  readonly file: string;
  /** SRI with sha512. */
  readonly integrity: string;
  /** A directory that nothing else writes to; made when it is not there. The caller removes it after an error. */
  readonly destination: string;
  /** What messages call the archive: name@version. */
  readonly label?: string;
  readonly limits?: Limits;
  readonly signal?: AbortSignal;
}

export interface UnpackedArchive {
  readonly files: number;
  /** Bytes of all files. */
  readonly bytes: number;
  /** Files and directories that the archive names. */
  readonly entries: number;
}

interface Source {
  readonly handle: FileHandle;
  readonly size: number;
  readonly label: string;
  readonly limits: Limits;
  readonly signal?: AbortSignal;
}

const chunkBytes = 512 * 1024;
/** The second option is the stream's: zlib works on the next chunk while this one is written. */
const inflateOptions: ZlibOptions & TransformOptions = {
  chunkSize: chunkBytes,
  highWaterMark: 2 * chunkBytes,
};
const headBytes = 64 * 1024 + 1024;

/**
 * Hashes an npm archive whole, then unpacks it from the same descriptor, so that wrong bytes are never read as gzip.
 * @throws a code of `archiveErrors`; nothing is ever written outside `destination`
 */
export async function unpackTarball(job: UnpackJob): Promise<UnpackedArchive> {
  const label = job.label ?? job.file;
  const integrity = parseIntegrity(job.integrity, label);
  const handle = await openArchive(job.file, label);
  try {
    const before = await handle.stat({ bigint: true });
    const limits = job.limits ?? defaultLimits;
    const signal = job.signal === undefined ? {} : { signal: job.signal };
    const source: Source = { handle, size: toSize(before, limits, label), label, limits, ...signal };
    await verifyDigest(source, new IntegrityCheck(integrity));
    const unpacked = await unpack(source, job.destination);
    assertUnchanged(before, await handle.stat({ bigint: true }), label);
    return unpacked;
  } finally {
    await handle.close();
  }
}

async function openArchive(file: string, label: string): Promise<FileHandle> {
  try {
    return await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (cause) {
    const got = (cause as NodeJS.ErrnoException).code ?? "an error";
    throw archiveError("archive.unreadable", { subject: label, expected: "a file to read", got, cause });
  }
}

function toSize(stat: BigIntStats, limits: Limits, label: string): number {
  if (!stat.isFile()) {
    throw archiveError("archive.unreadable", {
      subject: label,
      expected: "a regular file",
      got: "something else",
    });
  }
  if (stat.size <= limits.compressedBytes) return Number(stat.size);
  throw archiveError("archive.too-large", {
    subject: label,
    expected: `at most ${limits.compressedBytes} bytes`,
    got: `${stat.size}`,
  });
}

async function verifyDigest(source: Source, check: IntegrityCheck): Promise<void> {
  for await (const chunk of readRange(source, 0, source.size, Buffer.allocUnsafe(chunkBytes)))
    check.update(chunk);
  const wrong = check.finish();
  if (wrong) throw archiveError("archive.integrity", { subject: source.label, ...wrong });
}

/** The member must fill the file: what lies between its header and the last eight bytes is all deflate data. */
async function unpack(source: Source, destination: string): Promise<UnpackedArchive> {
  const { label, limits, size } = source;
  const start = parseGzipHeader(await readAt(source, 0, Math.min(size, headBytes)), label);
  const end = size - gzipTrailerBytes;
  if (end <= start) throw gzipTruncated(label);
  makeDestination(resolve(destination));
  const sink = new FileSink(destination, limits, label);
  const reader = new TarReader(sink, limits, label);
  try {
    const seen = await inflate(source, start, end, (chunk) => reader.push(chunk));
    assertGzipTrailer(await readAt(source, end, gzipTrailerBytes), seen, label);
    reader.end();
  } finally {
    sink.close();
  }
  return { ...sink.written, entries: reader.entries };
}

/** Folders that are made on the way get the mode that all get, whatever the umask. */
function makeDestination(destination: string): void {
  const first = mkdirSync(destination, { recursive: true });
  if (first === undefined) return;
  for (let path = destination; path.length >= first.length; path = dirname(path)) chmodSync(path, 0o755);
}

async function inflate(source: Source, start: number, end: number, push: (chunk: Buffer) => void) {
  const stream = createInflateRaw(inflateOptions);
  const seen = { crc: 0, bytes: 0 };
  try {
    await pipeline(
      readRange(source, start, end),
      stream,
      async (chunks: AsyncIterable<Buffer>) => {
        for await (const chunk of chunks) {
          seen.crc = crc32(chunk, seen.crc);
          seen.bytes += chunk.length;
          push(chunk);
        }
      },
      source.signal === undefined ? {} : { signal: source.signal },
    );
  } catch (error) {
    throw toGzipError(error, source.label);
  }
  if (stream.bytesWritten < end - start) {
    const got = `${end - start - stream.bytesWritten} more bytes`;
    throw archiveError("archive.gzip-trailing", { subject: source.label, expected: "one gzip member", got });
  }
  return seen;
}

async function* readRange(
  source: Source,
  start: number,
  end: number,
  reused?: Buffer,
): AsyncGenerator<Buffer> {
  for (let offset = start; offset < end; ) {
    source.signal?.throwIfAborted();
    const buffer = reused ?? Buffer.allocUnsafe(Math.min(chunkBytes, end - offset));
    const { bytesRead } = await source.handle.read(buffer, 0, Math.min(buffer.length, end - offset), offset);
    if (bytesRead === 0) throw changed(source.label, `${end} bytes`, `${offset}`);
    yield buffer.subarray(0, bytesRead);
    offset += bytesRead;
  }
}

async function readAt(source: Source, offset: number, length: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of readRange(source, offset, offset + length)) parts.push(part);
  return Buffer.concat(parts);
}

function assertUnchanged(before: BigIntStats, after: BigIntStats, label: string): void {
  const same =
    before.size === after.size && before.mtimeNs === after.mtimeNs && before.ctimeNs === after.ctimeNs;
  if (!same) throw changed(label, "the same times and size after reading", "others");
}

function changed(subject: string, expected: string, got: string) {
  return archiveError("archive.changed", { subject, expected, got });
}

function gzipTruncated(subject: string) {
  return archiveError("archive.gzip-truncated", {
    subject,
    expected: "a whole gzip member",
    got: "its beginning",
  });
}

function toGzipError(error: unknown, subject: string): unknown {
  if (isSealpackError(error)) return error;
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "Z_BUF_ERROR") return gzipTruncated(subject);
  if (code?.startsWith("Z_") !== true) return error;
  return archiveError("archive.gzip-data", { subject, expected: "deflate data", got: code, cause: error });
}
