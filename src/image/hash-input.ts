import { createHash } from "node:crypto";
import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { imageError } from "./errors.ts";

const chunk = Buffer.allocUnsafeSlow(1024 * 1024);
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;

/**
 * SHA-256 of a regular file, 64 lowercase hex, from one descriptor that follows no link.
 * @param subject how messages call the file
 * @throws image.input-unreadable, image.input-changed
 */
export function hashInput(absolute: string, subject: string): string {
  const descriptor = open(absolute, subject);
  try {
    const before = fstatSync(descriptor, { bigint: true });
    if (!before.isFile()) throw changed(subject, "another kind of entry");
    const sha256 = hashBytes(descriptor, before.size, subject);
    if (isOther(before, fstatSync(descriptor, { bigint: true }))) throw changed(subject, "other bytes");
    return sha256;
  } finally {
    closeSync(descriptor);
  }
}

/** Reads one byte further than the file was long, so that one that grows is seen. */
function hashBytes(descriptor: number, size: bigint, subject: string): string {
  const hash = createHash("sha256");
  let total = 0n;
  for (let read = readChunk(descriptor, subject); read > 0; read = readChunk(descriptor, subject)) {
    hash.update(chunk.subarray(0, read));
    total += BigInt(read);
    if (total > size) throw changed(subject, "more bytes");
  }
  if (total !== size) throw changed(subject, "fewer bytes");
  return hash.digest("hex");
}

function readChunk(descriptor: number, subject: string): number {
  try {
    return readSync(descriptor, chunk);
  } catch (cause) {
    throw unreadable(subject, cause);
  }
}

function open(absolute: string, subject: string): number {
  try {
    return openSync(absolute, flags);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
    if (code === "ELOOP" || code === "ENOENT" || code === "ENXIO") throw changed(subject, code);
    throw unreadable(subject, cause);
  }
}

function isOther(before: BigIntStats, after: BigIntStats): boolean {
  return before.size !== after.size || before.mtimeNs !== after.mtimeNs || before.ctimeNs !== after.ctimeNs;
}

function unreadable(subject: string, cause: unknown) {
  const got = (cause as NodeJS.ErrnoException).code ?? String(cause);
  return imageError("image.input-unreadable", { subject, expected: "to read it", got, cause });
}

function changed(subject: string, got: string) {
  return imageError("image.input-changed", { subject, expected: "a file that stays as it was listed", got });
}
