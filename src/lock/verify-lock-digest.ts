import { createHash } from "node:crypto";
import { lockError } from "./errors.ts";

/**
 * The gate before anything reads the lock (B4): its raw bytes against the pinned SHA-256.
 * @param expected 64 lowercase hex
 * @throws lock.digest-mismatch, with both digests
 */
export function verifyLockDigest(bytes: Uint8Array, expected: string, file: string): void {
  const got = toSha256(bytes);
  if (got === expected) return;
  const unconverted = toSha256(
    Buffer.from(Buffer.from(bytes).toString("latin1").replaceAll("\r\n", "\n"), "latin1"),
  );
  const remedy =
    unconverted === expected
      ? {
          remedy:
            "Only line ends differ: keep the lock out of conversion (`package-lock.json -text` in .gitattributes) and restore it.",
        }
      : {};
  throw lockError("lock.digest-mismatch", {
    subject: file,
    expected: `SHA-256 ${expected}`,
    got,
    details: { file, expected, got },
    ...remedy,
  });
}

export function toSha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
