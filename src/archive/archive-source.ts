import { type BigIntStats, constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { archiveError } from "./errors.ts";
import type { Limits } from "./limits.ts";

export const chunkBytes = 512 * 1024;

/** One open archive. Everything is read through this descriptor, so that what was hashed is what is unpacked. */
export interface ArchiveSource {
  readonly handle: FileHandle;
  readonly stat: BigIntStats;
  readonly size: number;
  /** What messages call it. */
  readonly label: string;
  readonly signal: AbortSignal | undefined;
}

/** Runs `use` with an open archive. @throws archive.unreadable, archive.too-large, archive.changed */
export async function withArchive<Result>(
  file: string,
  { label, limits, signal }: { label: string; limits: Limits; signal: AbortSignal | undefined },
  use: (source: ArchiveSource) => Promise<Result>,
): Promise<Result> {
  // Non-blocking, so that a FIFO is refused instead of waited for.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await attempt(label, () => open(file, flags));
  try {
    const stat = await handle.stat({ bigint: true });
    const result = await use({ handle, stat, size: toSize(stat, limits, label), label, signal });
    assertUnchanged(stat, await handle.stat({ bigint: true }), label);
    return result;
  } finally {
    await handle.close();
  }
}

/** The bytes from `start` to `end` in chunks; each is overwritten by the next where a buffer to reuse is given. */
export async function* readRange(
  { handle, label, signal }: ArchiveSource,
  start: number,
  end: number,
  reused?: Buffer,
): AsyncGenerator<Buffer> {
  for (let offset = start; offset < end; ) {
    signal?.throwIfAborted();
    const buffer = reused ?? Buffer.allocUnsafe(Math.min(chunkBytes, end - offset));
    const length = Math.min(buffer.length, end - offset);
    const { bytesRead } = await attempt(label, () => handle.read(buffer, 0, length, offset));
    if (bytesRead === 0) throw changed(label, `${end} bytes`, `${offset}`);
    yield buffer.subarray(0, bytesRead);
    offset += bytesRead;
  }
}

export async function readAt(source: ArchiveSource, offset: number, length: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of readRange(source, offset, offset + length)) parts.push(part);
  return Buffer.concat(parts);
}

function toSize(stat: BigIntStats, limits: Limits, subject: string): number {
  if (!stat.isFile()) {
    throw archiveError("archive.unreadable", { subject, expected: "a regular file", got: "something else" });
  }
  if (stat.size <= limits.compressedBytes) return Number(stat.size);
  const expected = `at most ${limits.compressedBytes} bytes`;
  throw archiveError("archive.too-large", { subject, expected, got: `${stat.size}` });
}

function assertUnchanged(before: BigIntStats, after: BigIntStats, label: string): void {
  const isSame =
    before.size === after.size && before.mtimeNs === after.mtimeNs && before.ctimeNs === after.ctimeNs;
  if (!isSame) throw changed(label, "the same times and size after reading", "others");
}

async function attempt<Result>(subject: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (cause) {
    const got = (cause as NodeJS.ErrnoException).code ?? "an error";
    throw archiveError("archive.unreadable", { subject, expected: "a file to read", got, cause });
  }
}

function changed(subject: string, expected: string, got: string) {
  return archiveError("archive.changed", { subject, expected, got });
}
