import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { manifestError } from "./errors.ts";

/**
 * Reads `sealpack.json` or `sealpack.tree` at a pack's root, which whoever made the pack controls: a regular file,
 * no link, bounded, unchanged while it is read (design 7). One byte more than `limit` is read at most, so that the
 * parser can refuse what is too large.
 * @throws `manifest.missing`, `.listing-missing`, `.not-a-file`, `.cannot-read`, `.changed-while-read`
 */
export function readControlFile(
  root: string,
  name: "sealpack.json" | "sealpack.tree",
  limit: number,
): Buffer {
  const path = `${root}/${name}`;
  const before = attempt(name, () => lstatSync(path, { bigint: true }));
  if (!before.isFile()) {
    throw manifestError("manifest.not-a-file", {
      subject: name,
      expected: "a regular file",
      got: "something else",
    });
  }
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = attempt(name, () => openSync(path, flags));
  try {
    assertSame(name, before, fstatSync(file, { bigint: true }));
    const bytes = readUpTo(name, file, Math.min(Number(before.size), limit) + 1);
    assertSame(name, before, fstatSync(file, { bigint: true }));
    return bytes;
  } finally {
    closeSync(file);
  }
}

function readUpTo(name: string, file: number, limit: number): Buffer {
  const buffer = Buffer.alloc(limit);
  let length = 0;
  for (let count = -1; count !== 0 && length < limit; length += count) {
    count = attempt(name, () => readSync(file, buffer, length, limit - length, null));
  }
  return buffer.subarray(0, length);
}

function attempt<T>(name: string, call: () => T): T {
  try {
    return call();
  } catch (cause) {
    const got = (cause as NodeJS.ErrnoException).code ?? "unknown error";
    const missing = name === "sealpack.json" ? "manifest.missing" : "manifest.listing-missing";
    const code = got === "ENOENT" || got === "ENOTDIR" ? missing : "manifest.cannot-read";
    throw manifestError(code, { subject: name, expected: "a readable file", got, cause });
  }
}

function assertSame(name: string, before: BigIntStats, now: BigIntStats): void {
  const facts = ["dev", "ino", "mode", "size", "mtimeNs", "ctimeNs"] as const;
  if (facts.every((fact) => before[fact] === now[fact])) return;
  throw manifestError("manifest.changed-while-read", {
    subject: name,
    expected: "no change",
    got: "a change",
  });
}
