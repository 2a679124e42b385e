import { createHash } from "node:crypto";
import { constants, deflateRawSync, gzipSync } from "node:zlib";

/** Fields of one header block. A Buffer is written raw, so that a test can lie in any way it likes. */
export interface HeaderFields {
  readonly name: string | Buffer;
  readonly mode?: number | Buffer;
  readonly size?: number | Buffer;
  readonly type?: string;
  readonly linkName?: string;
  readonly magic?: string;
  readonly prefix?: string;
  /** Replaces the right checksum. */
  readonly checksum?: number;
}

/** One header block, byte by byte. */
export function header(fields: HeaderFields): Buffer {
  const block = Buffer.alloc(512);
  put(block, 0, fields.name);
  put(block, 100, octal(fields.mode ?? 0o644, 8));
  put(block, 108, octal(0, 8));
  put(block, 116, octal(0, 8));
  put(block, 124, octal(fields.size ?? 0, 12));
  put(block, 136, octal(0, 12));
  put(block, 156, fields.type ?? "0");
  put(block, 157, fields.linkName ?? "");
  put(block, 257, fields.magic ?? "ustar\x0000");
  put(block, 345, fields.prefix ?? "");
  block.fill(" ", 148, 156);
  const sum = block.reduce((total, byte) => total + byte, 0);
  put(block, 148, `${(fields.checksum ?? sum).toString(8).padStart(6, "0")}\0 `);
  return block;
}

/** A header with its body, padded to whole blocks. */
export function entry(fields: HeaderFields, body: string | Uint8Array = ""): Buffer {
  const bytes = Buffer.from(body as string);
  return Buffer.concat([header({ size: bytes.length, ...fields }), pad(bytes)]);
}

export function file(
  name: string,
  body: string | Uint8Array = "",
  fields: Partial<HeaderFields> = {},
): Buffer {
  return entry({ name, ...fields }, body);
}

export function directory(name: string, fields: Partial<HeaderFields> = {}): Buffer {
  return entry({ name, type: "5", mode: 0o755, ...fields });
}

/** A pax header (`x`, or `g` for a global one) with these records, or with a raw body. */
export function pax(records: Readonly<Record<string, string | Buffer>> | Buffer, type = "x"): Buffer {
  const body = Buffer.isBuffer(records)
    ? records
    : Buffer.concat(Object.entries(records).map(([key, value]) => paxRecord(key, value)));
  return entry({ name: "PaxHeader", type }, body);
}

export function paxRecord(key: string, value: string | Buffer): Buffer {
  const rest = Buffer.concat([Buffer.from(` ${key}=`), Buffer.from(value as string), Buffer.from("\n")]);
  let length = rest.length + 1;
  while (String(length).length + rest.length !== length) length = String(length).length + rest.length;
  return Buffer.concat([Buffer.from(String(length)), rest]);
}

/** GNU's way of writing a long path: an entry of type L before the entry that it names. */
export function longName(path: string): Buffer {
  return entry({ name: "././@LongLink", type: "L", magic: "ustar  \0" }, `${path}\0`);
}

/** Two zero blocks. */
export const endMark = Buffer.alloc(1024);

/** A whole archive, end mark included. */
export function tar(...parts: readonly Buffer[]): Buffer {
  return Buffer.concat([...parts, endMark]);
}

export function tgz(...parts: readonly Buffer[]): Buffer {
  return gzipSync(tar(...parts));
}

export function sri(bytes: Uint8Array, algorithm = "sha512"): string {
  return `${algorithm}-${createHash(algorithm).update(bytes).digest("base64")}`;
}

/**
 * A gzip member of `before`, then `chunk` repeated `times` times, made in an instant: the compressed chunk is
 * repeated, not the bytes. Its checksum is wrong, which only a reader that gets to the end can notice.
 */
export function bomb(before: Buffer, chunk: Buffer, times: number): Buffer {
  const flushed = { finishFlush: constants.Z_FULL_FLUSH };
  const compressed = deflateRawSync(chunk, flushed);
  return Buffer.concat([
    Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]),
    deflateRawSync(before, flushed),
    ...Array.from({ length: times }, () => compressed),
    deflateRawSync(Buffer.alloc(0)),
    Buffer.alloc(8),
  ]);
}

function pad(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);
}

function put(block: Buffer, offset: number, value: string | Buffer): void {
  Buffer.from(value as string).copy(block, offset);
}

function octal(value: number | Buffer, width: number): string | Buffer {
  return Buffer.isBuffer(value) ? value : `${value.toString(8).padStart(width - 1, "0")}\0`;
}
