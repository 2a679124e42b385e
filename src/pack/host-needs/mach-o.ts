/** Mach-O, 64-bit little-endian, or a universal file of several. Only what tells whether a file is one of a target's. */
const thin = 0xfeedfacf;
const universal = 0xcafebabe;
const executable = 2;
const architectures = new Map([
  [0x01000007, "x64"],
  [0x0100000c, "arm64"],
] as const);

/** A Java class has a universal file's magic too; its version number is larger than any count of architectures. */
const universalLimit = 16;

export function isMachO(start: Buffer): boolean {
  if (start.length < 32) return false;
  if (start.readUInt32LE(0) === thin) return start.readUInt32LE(12) === executable;
  const count = start.readUInt32BE(4);
  return start.readUInt32BE(0) === universal && count > 0 && count <= universalLimit;
}

/** The architectures among x64 and arm64 that a Mach-O file holds; give at least its first 4096 bytes. */
export function readMachOArchitectures(start: Buffer): string[] {
  const known = (type: number): string[] => [architectures.get(type as 0x01000007) ?? []].flat();
  if (start.readUInt32LE(0) === thin) return known(start.readUInt32LE(4));
  const count = start.readUInt32BE(4);
  const offsets = Array.from({ length: count }, (_, index) => 8 + index * 20);
  return offsets.filter((at) => at + 20 <= start.length).flatMap((at) => known(start.readUInt32BE(at)));
}
