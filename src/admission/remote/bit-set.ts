import { Buffer } from "node:buffer";

/** Indexes as one bit each, base64. */
export function printBits(indexes: readonly number[], length: number): string {
  const bytes = Buffer.alloc(Math.ceil(length / 8));
  for (const index of indexes) bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (1 << (index & 7));
  return bytes.toString("base64");
}

/** The indexes below `length` whose bit is set, ascending. */
export function parseBits(text: string, length: number): number[] {
  const bytes = Buffer.from(text, "base64");
  const found: number[] = [];
  for (let index = 0; index < length; index += 1) {
    if ((((bytes[index >> 3] ?? 0) >> (index & 7)) & 1) === 1) found.push(index);
  }
  return found;
}
