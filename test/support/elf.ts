/** A tiny 64-bit little-endian ELF file, byte by byte: header, segments, dynamic section, strings. No section headers. */
export interface ElfOptions {
  readonly machine?: number;
  readonly type?: number;
  readonly interpreter?: string;
  /** Absent: no dynamic segment, as in a static executable. */
  readonly needed?: readonly string[];
  readonly runpath?: string;
  readonly rpath?: string;
  /** By library: the versions needed of it. */
  readonly versions?: Readonly<Record<string, readonly string[]>>;
}

export const x64 = 62;
export const arm64 = 183;

/** Where things lie in what `makeElf` gives, for tests that spoil them. */
export const elfLayout = { phoff: 32, phentsize: 54, phnum: 56, headers: 64, segmentSize: 56 } as const;

const base = 0x400000;

export function makeElf(options: ElfOptions = {}): Buffer {
  const segments: { type: number; body: Buffer }[] = [];
  if (options.interpreter !== undefined) {
    segments.push({ type: 3, body: Buffer.from(`${options.interpreter}\0`, "latin1") });
  }
  const tables = options.needed === undefined ? undefined : makeTables(options, options.needed);
  const count = segments.length + (tables === undefined ? 0 : 1) + 1;
  let at = elfLayout.headers + count * elfLayout.segmentSize;
  const headers: Buffer[] = [];
  const bodies: Buffer[] = [];
  for (const { type, body } of segments) {
    headers.push(makeSegment(type, at, body.length));
    bodies.push(body);
    at += body.length;
  }
  if (tables !== undefined) {
    const strings = at;
    const needs = strings + tables.strings.length;
    const dynamic = makeDynamic(tables, strings, needs);
    headers.push(makeSegment(2, needs + tables.needs.length, dynamic.length));
    bodies.push(tables.strings, tables.needs, dynamic);
    at = needs + tables.needs.length + dynamic.length;
  }
  headers.unshift(makeSegment(1, 0, at));
  return Buffer.concat([makeHeader(options, count), ...headers, ...bodies]);
}

function makeHeader({ machine = x64, type = 3 }: ElfOptions, count: number): Buffer {
  const header = Buffer.alloc(elfLayout.headers);
  header.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  header.writeUInt16LE(type, 16);
  header.writeUInt16LE(machine, 18);
  header.writeUInt32LE(1, 20);
  header.writeBigUInt64LE(BigInt(elfLayout.headers), elfLayout.phoff);
  header.writeUInt16LE(elfLayout.segmentSize, elfLayout.phentsize);
  header.writeUInt16LE(count, elfLayout.phnum);
  return header;
}

function makeSegment(type: number, offset: number, size: number): Buffer {
  const segment = Buffer.alloc(elfLayout.segmentSize);
  segment.writeUInt32LE(type, 0);
  segment.writeBigUInt64LE(BigInt(offset), 8);
  segment.writeBigUInt64LE(BigInt(base + offset), 16);
  segment.writeBigUInt64LE(BigInt(size), 32);
  return segment;
}

interface Tables {
  readonly strings: Buffer;
  readonly needs: Buffer;
  readonly needCount: number;
  /** Tag and value, where the value is an offset into `strings`. */
  readonly entries: readonly (readonly [number, number])[];
}

function makeTables(options: ElfOptions, needed: readonly string[]): Tables {
  let strings = "\0";
  const add = (text: string): number => {
    const at = strings.length;
    strings += `${text}\0`;
    return at;
  };
  const entries: [number, number][] = needed.map((name) => [1, add(name)]);
  if (options.rpath !== undefined) entries.push([15, add(options.rpath)]);
  if (options.runpath !== undefined) entries.push([29, add(options.runpath)]);
  const versions = Object.entries(options.versions ?? {});
  const needs = versions.map(([library, names], index) => {
    const last = index === versions.length - 1;
    return makeNeed(add(library), names.map(add), last);
  });
  return {
    strings: Buffer.from(strings, "latin1"),
    needs: Buffer.concat(needs),
    needCount: versions.length,
    entries,
  };
}

/** One Elf64_Verneed with its Elf64_Vernaux entries after it. */
function makeNeed(file: number, names: readonly number[], last: boolean): Buffer {
  const need = Buffer.alloc(16 + names.length * 16);
  need.writeUInt16LE(1, 0);
  need.writeUInt16LE(names.length, 2);
  need.writeUInt32LE(file, 4);
  need.writeUInt32LE(16, 8);
  need.writeUInt32LE(last ? 0 : need.length, 12);
  for (const [index, name] of names.entries()) {
    need.writeUInt32LE(name, 16 + index * 16 + 8);
    need.writeUInt32LE(index === names.length - 1 ? 0 : 16, 16 + index * 16 + 12);
  }
  return need;
}

function makeDynamic({ entries, strings, needs, needCount }: Tables, at: number, needsAt: number): Buffer {
  const all: [number, number][] = [...entries.map(([tag, value]): [number, number] => [tag, value])];
  all.push([5, base + at], [10, strings.length]);
  if (needs.length > 0) all.push([0x6ffffffe, base + needsAt], [0x6fffffff, needCount]);
  all.push([0, 0]);
  const dynamic = Buffer.alloc(all.length * 16);
  for (const [index, [tag, value]] of all.entries()) {
    dynamic.writeBigUInt64LE(BigInt(tag), index * 16);
    dynamic.writeBigUInt64LE(BigInt(value), index * 16 + 8);
  }
  return dynamic;
}
