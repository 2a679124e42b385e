import { type ElfReader, toNumber } from "./elf-reader.ts";

export interface ElfHeader {
  /** e_machine: 62 is x86-64, 183 is aarch64. */
  readonly machine: number;
  /** e_type: 2 is an executable, 3 a shared object or a position-independent executable. */
  readonly type: number;
  readonly segments: readonly Segment[];
}

export interface Segment {
  /** p_type: 1 load, 2 dynamic, 3 interpreter. */
  readonly type: number;
  readonly offset: number;
  readonly address: number;
  /** Bytes in the file. */
  readonly size: number;
}

const headerSize = 64;
const segmentSize = 56;
/** Real files have about a dozen; 0xffff would mean "look in a section", which no executable of a pack needs. */
const segmentLimit = 256;

/** Whether a file begins like an ELF file at all. */
export function isElf(start: Uint8Array): boolean {
  return start[0] === 0x7f && start[1] === 0x45 && start[2] === 0x4c && start[3] === 0x46;
}

/** Reads the header and program headers of a 64-bit little-endian ELF file. @throws host-needs.malformed-elf */
export async function readElfHeader(reader: ElfReader): Promise<ElfHeader> {
  const bytes = await reader.read(0, headerSize, "header");
  const [format, order, version] = bytes.subarray(4, 7);
  if (!isElf(bytes) || format !== 2 || order !== 1 || version !== 1) {
    throw reader.malformed("header", "ELF, 64-bit, little-endian, version 1", bytes.toString("hex", 0, 7));
  }
  const count = bytes.readUInt16LE(56);
  const each = bytes.readUInt16LE(54);
  if (count > segmentLimit) throw reader.malformed("program headers", `at most ${segmentLimit}`, `${count}`);
  if (count > 0 && each !== segmentSize)
    throw reader.malformed("program header size", `${segmentSize}`, `${each}`);
  const table = await reader.read(toNumber(bytes, 32), count * segmentSize, "program headers");
  const segments = Array.from({ length: count }, (_, index) => toSegment(table, index * segmentSize));
  return { machine: bytes.readUInt16LE(18), type: bytes.readUInt16LE(16), segments };
}

function toSegment(table: Buffer, at: number): Segment {
  return {
    type: table.readUInt32LE(at),
    offset: toNumber(table, at + 8),
    address: toNumber(table, at + 16),
    size: toNumber(table, at + 32),
  };
}
