import type { FileHandle } from "node:fs/promises";
import { hostNeedsError } from "./errors.ts";

/** Reads pieces of an ELF file of which nothing is believed: every piece is bounded and lies inside the file. */
export interface ElfReader {
  readonly size: number;
  /** @throws host-needs.malformed-elf */
  read(offset: number, length: number, what: string): Promise<Buffer>;
  /** A string of printable ASCII up to its NUL, at most 4095 bytes, perhaps empty. @throws host-needs.malformed-elf */
  readString(offset: number, end: number, what: string): Promise<string>;
  malformed(what: string, expected: string, got: string): Error;
}

const pieceLimit = 1024 * 1024;
const stringLimit = 4096;

export async function openElfReader(handle: FileHandle, path: string): Promise<ElfReader> {
  const { size } = await handle.stat();
  const malformed = (what: string, expected: string, got: string): Error =>
    hostNeedsError("host-needs.malformed-elf", { subject: `${path}: ${what}`, expected, got });
  const read = async (offset: number, length: number, what: string): Promise<Buffer> => {
    const fits = offset >= 0 && length >= 0 && length <= pieceLimit && offset + length <= size;
    if (!fits) throw malformed(what, `at most 1 MiB within ${size} bytes`, `${length} bytes at ${offset}`);
    const buffer = Buffer.alloc(length);
    const { bytesRead } = await handle.read(buffer, 0, length, offset);
    if (bytesRead !== length) throw malformed(what, `${length} bytes`, `${bytesRead}`);
    return buffer;
  };
  const readString = async (offset: number, end: number, what: string): Promise<string> => {
    const length = Math.min(stringLimit, Math.min(end, size) - offset);
    const bytes = await read(offset, length, what);
    const nul = bytes.indexOf(0);
    const text = bytes.toString("latin1", 0, nul === -1 ? length : nul);
    if (nul >= 0 && /^[\x20-\x7e]*$/.test(text)) return text;
    throw malformed(what, "printable ASCII that ends with NUL", JSON.stringify(text.slice(0, 80)));
  };
  return { size, read, readString, malformed };
}

/** A 64-bit field as a number; what is beyond 2^53 is beyond every file, and is refused as an offset later. */
export function toNumber(bytes: Buffer, offset: number): number {
  return Number(bytes.readBigUInt64LE(offset));
}
