import { type ArchiveCode, archiveError } from "./errors.ts";
import { isZero } from "./is-zero.ts";
import { parseOctal } from "./parse-octal.ts";
import { parseText } from "./parse-text.ts";

export const blockBytes = 512;

/** What a header block means to us: an entry that is made, or an extension of the next one. */
export type HeaderKind = "file" | "directory" | "pax" | "pax-global" | "gnu-long-name";

export interface TarHeader {
  readonly kind: HeaderKind;
  /** Path as bytes, ustar prefix joined, nothing stripped. */
  readonly path: Uint8Array;
  /** Permission bits. */
  readonly mode: number;
  /** Bytes of the body. */
  readonly size: number;
}

const kinds: Readonly<Record<string, HeaderKind>> = {
  "\0": "file",
  "0": "file",
  "5": "directory",
  x: "pax",
  g: "pax-global",
  L: "gnu-long-name",
};

const refusedTypes: Readonly<Record<string, ArchiveCode>> = {
  "1": "archive.hard-link",
  "2": "archive.symlink",
  "3": "archive.device",
  "4": "archive.device",
  "6": "archive.fifo",
  "7": "archive.contiguous",
  S: "archive.sparse",
};

/**
 * Parses one header block that is not all zeros. Strict where common readers guess: numbers, magic,
 * text fields and types must be exactly what a writer of npm archives produces.
 * @throws archive.header-*, archive.mode-special, and the code of a type that is refused
 */
export function parseHeader(block: Uint8Array, subject: string): TarHeader {
  assertChecksum(block, subject);
  const format = parseMagic(block, subject);
  const kind = parseKind(block[156] ?? 0, subject);
  const name = parseText(block.subarray(0, 100), subject);
  assertNoLinkName(block.subarray(157, 257), subject);
  return {
    kind,
    path: joinPrefix(parsePrefix(block, format, subject), name),
    mode: parseMode(block.subarray(100, 108), subject),
    size: parseSize(block.subarray(124, 136), subject),
  };
}

/** The sum of all bytes, the checksum's own counted as spaces. */
export function toChecksum(block: Uint8Array): number {
  let sum = 8 * 0x20;
  for (let index = 0; index < blockBytes; index += 1) {
    if (index < 148 || index >= 156) sum += block[index] ?? 0;
  }
  return sum;
}

function assertChecksum(block: Uint8Array, subject: string): void {
  const recorded = parseOctal(block.subarray(148, 156));
  const sum = toChecksum(block);
  if (recorded === sum) return;
  throw archiveError("archive.header-checksum", { subject, expected: `${recorded}`, got: `${sum}` });
}

type Format = "ustar" | "gnu" | "old";

function parseMagic(block: Uint8Array, subject: string): Format {
  const magic = Buffer.from(block.subarray(257, 265)).toString("latin1");
  if (magic === "ustar\x0000") return "ustar";
  if (magic === "ustar  \0") return "gnu";
  if (magic === "\0".repeat(8)) return "old";
  throw archiveError("archive.header-magic", { subject, expected: "ustar", got: JSON.stringify(magic) });
}

function parseKind(type: number, subject: string): HeaderKind {
  const letter = String.fromCharCode(type);
  const kind = kinds[letter];
  if (kind !== undefined) return kind;
  throw archiveError(refusedTypes[letter] ?? "archive.type-unknown", {
    subject,
    expected: "a file or a directory",
    got: `type ${JSON.stringify(letter)}`,
  });
}

function assertNoLinkName(field: Uint8Array, subject: string): void {
  if (isZero(field)) return;
  throw archiveError("archive.header-link-name", { subject, expected: "no link target", got: "one" });
}

/** Star keeps two times behind a prefix of 130 bytes; reading up to the first zero reads both layouts right. */
function parsePrefix(block: Uint8Array, format: Format, subject: string): Uint8Array {
  const field = block.subarray(345, 500);
  const zero = field.indexOf(0);
  if (format === "ustar") return zero < 0 ? field : field.subarray(0, zero);
  if (isZero(field)) return new Uint8Array();
  throw archiveError("archive.header-prefix", {
    subject,
    expected: "an unused prefix field",
    got: `${format} text`,
  });
}

function joinPrefix(prefix: Uint8Array, name: Uint8Array): Uint8Array {
  return prefix.length === 0 ? name : Buffer.concat([prefix, Buffer.from("/"), name]);
}

function parseMode(field: Uint8Array, subject: string): number {
  const mode = parseOctal(field);
  if (mode === undefined) {
    throw archiveError("archive.header-mode", { subject, expected: "octal digits", got: showField(field) });
  }
  if (mode & 0o7000) {
    throw archiveError("archive.mode-special", { subject, expected: "rwx bits only", got: mode.toString(8) });
  }
  return mode & 0o777;
}

function parseSize(field: Uint8Array, subject: string): number {
  const size = parseOctal(field);
  if (size !== undefined) return size;
  throw archiveError("archive.header-size", { subject, expected: "octal digits", got: showField(field) });
}

function showField(field: Uint8Array): string {
  return Buffer.from(field).toString("hex");
}
