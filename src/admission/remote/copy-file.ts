import { createHash } from "node:crypto";
import { closeSync, constants, fchmodSync, fstatSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import type { Entry } from "../../tree/entry.ts";

const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const buffer = Buffer.allocUnsafeSlow(1024 * 1024);

/**
 * Copies a file where its bytes are those of the entry, hashing what it writes; leaves nothing otherwise. The source belongs to whoever
 * wrote there: a regular file of the right size or none.
 */
export function copyIfSame(source: string, target: string, entry: Entry): boolean {
  const from = openOrNone(source);
  if (from === undefined) return false;
  try {
    const stats = fstatSync(from);
    return stats.isFile() && stats.size === entry.size && copyOpen(from, target, entry);
  } finally {
    closeSync(from);
  }
}

function copyOpen(from: number, target: string, entry: Entry): boolean {
  const hash = createHash("sha256");
  const to = createFile(target, entry);
  try {
    for (let left = entry.size; left > 0; ) {
      const count = readSync(from, buffer, 0, Math.min(buffer.length, left), null);
      if (count === 0) break;
      hash.update(buffer.subarray(0, count));
      writeAll(to, buffer.subarray(0, count));
      left -= count;
    }
  } finally {
    closeSync(to);
  }
  if (hash.digest("hex") === entry.digest) return true;
  rmSync(target);
  return false;
}

/** A new file with the entry's mode whatever the umask says. */
export function createFile(target: string, entry: Entry): number {
  const file = openSync(target, "wx", 0o600);
  fchmodSync(file, entry.type === "x" ? 0o755 : 0o644);
  return file;
}

export function writeAll(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}

function openOrNone(path: string): number | undefined {
  try {
    return openSync(path, readFlags);
  } catch {
    return undefined;
  }
}
