import { archiveError } from "./errors.ts";
import { isZero } from "./is-zero.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Bytes of a zero-terminated field. @throws archive.header-text when bytes follow the zero */
export function parseText(field: Uint8Array, subject: string): Uint8Array {
  const zero = field.indexOf(0);
  if (zero < 0) return field;
  if (!isZero(field.subarray(zero))) {
    throw archiveError("archive.header-text", {
      subject,
      expected: "only zero bytes after a zero",
      got: "text",
    });
  }
  return field.subarray(0, zero);
}

/** Names are bytes until here. @throws archive.path-encoding */
export function parsePath(bytes: Uint8Array, subject: string): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw archiveError("archive.path-encoding", {
      subject,
      expected: "UTF-8",
      got: Buffer.from(bytes.subarray(0, 100))
        .toString("latin1")
        .replace(/[^ -~]/g, "?"),
      cause,
    });
  }
}
