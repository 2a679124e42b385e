/** ELF machine numbers of the targets. */
const machines = { x64: 0x3e, arm64: 0xb7 } as const;

const headerBytes = 64 + 56;
const loadAddress = 0x400000n;

/**
 * A static executable of one segment. On x64 it really runs: it prints `text` and a newline, and exits 0.
 * The arm64 one has the same form and is never run.
 */
export function tinyElf(architecture: keyof typeof machines, text: string): Buffer {
  const body = Buffer.concat([x64Code(text.length + 1), Buffer.from(`${text}\n`)]);
  const header = Buffer.alloc(headerBytes);
  header.write("\x7fELF\x02\x01\x01", 0, "latin1");
  header.writeUInt16LE(2, 16);
  header.writeUInt16LE(machines[architecture], 18);
  header.writeUInt32LE(1, 20);
  header.writeBigUInt64LE(loadAddress + BigInt(headerBytes), 24);
  header.writeBigUInt64LE(64n, 32);
  header.writeUInt16LE(64, 52);
  header.writeUInt16LE(56, 54);
  header.writeUInt16LE(1, 56);
  header.writeUInt16LE(64, 58);
  writeLoadSegment(header.subarray(64), BigInt(headerBytes + body.length));
  return Buffer.concat([header, body]);
}

function writeLoadSegment(segment: Buffer, size: bigint): void {
  segment.writeUInt32LE(1, 0);
  segment.writeUInt32LE(5, 4);
  segment.writeBigUInt64LE(loadAddress, 16);
  segment.writeBigUInt64LE(loadAddress, 24);
  segment.writeBigUInt64LE(size, 32);
  segment.writeBigUInt64LE(size, 40);
  segment.writeBigUInt64LE(0x1000n, 48);
}

/** write(1, text, length); exit(0). The text follows the code, 16 bytes after the address that lea is relative to. */
function x64Code(length: number): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(length);
  return Buffer.concat([
    Buffer.from("b801000000bf01000000488d3510000000ba", "hex"),
    size,
    Buffer.from("0f05b83c00000031ff0f05", "hex"),
  ]);
}
