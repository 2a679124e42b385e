import { archiveError } from "./errors.ts";

/** CRC-32 and length (modulo 2^32) of the unpacked bytes: the last eight bytes of a gzip member. */
export const gzipTrailerBytes = 8;

const FLAG = { headerCrc: 2, extra: 4, name: 8, comment: 16, reserved: 0xe0 } as const;

/**
 * Length of the gzip header at the start of `head` (RFC 1952), which must hold all of it.
 * @throws archive.gzip-header, archive.gzip-truncated
 */
export function parseGzipHeader(head: Uint8Array, subject: string): number {
  const [id1, id2, method, flags] = head;
  if (head.length < 10) throw truncated(subject);
  if (id1 !== 0x1f || id2 !== 0x8b || method !== 8 || flags === undefined || flags & FLAG.reserved) {
    throw archiveError("archive.gzip-header", {
      subject,
      expected: "1f 8b 08 and known flags",
      got: Buffer.from(head.subarray(0, 4)).toString("hex"),
    });
  }
  let offset = 10;
  if (flags & FLAG.extra) offset += 2 + (head[offset] ?? 0) + 256 * (head[offset + 1] ?? 0);
  if (flags & FLAG.name) offset = afterZero(head, offset, subject);
  if (flags & FLAG.comment) offset = afterZero(head, offset, subject);
  if (flags & FLAG.headerCrc) offset += 2;
  if (offset > head.length) throw truncated(subject);
  return offset;
}

function afterZero(head: Uint8Array, offset: number, subject: string): number {
  const zero = head.indexOf(0, offset);
  if (zero < 0) throw truncated(subject);
  return zero + 1;
}

/** @throws archive.gzip-checksum */
export function assertGzipTrailer(
  trailer: Buffer,
  seen: { readonly crc: number; readonly bytes: number },
  subject: string,
): void {
  const crc = trailer.readUInt32LE(0);
  const bytes = trailer.readUInt32LE(4);
  if (crc === seen.crc && bytes === seen.bytes % 2 ** 32) return;
  throw archiveError("archive.gzip-checksum", {
    subject,
    expected: `checksum ${crc.toString(16)} and ${bytes} bytes`,
    got: `${seen.crc.toString(16)} and ${seen.bytes}`,
  });
}

function truncated(subject: string) {
  return archiveError("archive.gzip-truncated", {
    subject,
    expected: "a gzip header",
    got: "the end of the file",
  });
}
