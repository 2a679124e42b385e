import type { ElfHeader } from "./elf-header.ts";
import { type ElfReader, toNumber } from "./elf-reader.ts";

/** What an ELF file asks of the dynamic linker. All empty for a static executable. */
export interface ElfDynamic {
  readonly needed: readonly string[];
  /** Search path of its own, as written: DT_RUNPATH, or DT_RPATH where there is none. */
  readonly runpath: readonly string[];
  readonly versions: readonly NeededVersion[];
}

export interface NeededVersion {
  readonly library: string;
  /** As `GLIBC_2.28`. */
  readonly name: string;
}

const tags = {
  needed: 1,
  strtab: 5,
  strsz: 10,
  rpath: 15,
  runpath: 29,
  verneed: 0x6ffffffe,
  verneednum: 0x6fffffff,
};
const dynamicType = 2;
const loadType = 1;
/** Real ones: at most 60 libraries and 40 versions of each. */
const libraryLimit = 1_000;
const versionLimit = 10_000;

/** @throws host-needs.malformed-elf */
export async function readElfDynamic(reader: ElfReader, header: ElfHeader): Promise<ElfDynamic> {
  const segments = header.segments.filter(({ type }) => type === dynamicType);
  const [segment] = segments;
  if (segment === undefined) return { needed: [], runpath: [], versions: [] };
  if (segments.length > 1) throw reader.malformed("dynamic segments", "one", `${segments.length}`);
  const entries = toEntries(await reader.read(segment.offset, segment.size, "dynamic segment"));
  const string = toStringReader(reader, header, entries);
  const name = toNameReader(reader, string);
  const needed = valuesOf(entries, tags.needed);
  if (needed.length > libraryLimit)
    throw reader.malformed("libraries", `at most ${libraryLimit}`, `${needed.length}`);
  const runpath = valuesOf(entries, tags.runpath);
  const path = runpath.length > 0 ? runpath : valuesOf(entries, tags.rpath);
  if (path.length > 1) throw reader.malformed("search paths", "one", `${path.length}`);
  return {
    needed: await all(needed, name),
    runpath: (await all(path, string)).flatMap((text) => text.split(":")),
    versions: await readVersions(reader, header, entries, name),
  };
}

type Entries = readonly (readonly [tag: number, value: number])[];
type StringReader = (offset: number) => Promise<string>;

function toEntries(bytes: Buffer): Entries {
  const count = Math.floor(bytes.length / 16);
  const entries = Array.from(
    { length: count },
    (_, at) => [toNumber(bytes, at * 16), toNumber(bytes, at * 16 + 8)] as const,
  );
  const end = entries.findIndex(([tag]) => tag === 0);
  return end === -1 ? entries : entries.slice(0, end);
}

function valuesOf(entries: Entries, wanted: number): number[] {
  return entries.filter(([tag]) => tag === wanted).map(([, value]) => value);
}

function toStringReader(reader: ElfReader, header: ElfHeader, entries: Entries): StringReader {
  const [address] = valuesOf(entries, tags.strtab);
  const [size = 0] = valuesOf(entries, tags.strsz);
  return async (offset) => {
    if (address === undefined || offset >= size) {
      throw reader.malformed("string", `an offset below ${size}`, `${offset}`);
    }
    const start = toOffset(reader, header, address, "string table");
    return reader.readString(start + offset, start + size, "string");
  };
}

/** A search path may be empty (patchelf leaves such), a name may not. */
function toNameReader(reader: ElfReader, string: StringReader): StringReader {
  return async (offset) => {
    const text = await string(offset);
    if (text === "") throw reader.malformed("string", "a name", "nothing");
    return text;
  };
}

/** The dynamic section names addresses in memory; the load segments say where in the file these bytes are. */
function toOffset(reader: ElfReader, header: ElfHeader, address: number, what: string): number {
  const segment = header.segments.find(
    (each) => each.type === loadType && address >= each.address && address - each.address < each.size,
  );
  if (segment === undefined) throw reader.malformed(what, "an address in a load segment", `${address}`);
  return segment.offset + (address - segment.address);
}

async function readVersions(
  reader: ElfReader,
  header: ElfHeader,
  entries: Entries,
  string: StringReader,
): Promise<NeededVersion[]> {
  const [address] = valuesOf(entries, tags.verneed);
  const [count = 0] = valuesOf(entries, tags.verneednum);
  if (address === undefined) return [];
  if (count > libraryLimit) throw reader.malformed("version needs", `at most ${libraryLimit}`, `${count}`);
  const versions: NeededVersion[] = [];
  let at = toOffset(reader, header, address, "version needs");
  for (let index = 0; index < count; index += 1) {
    const need = await reader.read(at, 16, "version need");
    const library = await string(need.readUInt32LE(4));
    const names = await readNames(reader, at + need.readUInt32LE(8), need.readUInt16LE(2), string);
    versions.push(...names.map((name) => ({ library, name })));
    if (versions.length > versionLimit) throw reader.malformed("versions", `at most ${versionLimit}`, "more");
    const next = need.readUInt32LE(12);
    if (next === 0) break;
    at += next;
  }
  return versions;
}

/** A chain goes forward only, and is as long as it said: it cannot be a circle. */
async function readNames(
  reader: ElfReader,
  start: number,
  count: number,
  string: StringReader,
): Promise<string[]> {
  if (count > versionLimit) throw reader.malformed("versions", `at most ${versionLimit}`, `${count}`);
  const names: string[] = [];
  let at = start;
  for (let index = 0; index < count; index += 1) {
    const entry = await reader.read(at, 16, "version");
    names.push(await string(entry.readUInt32LE(8)));
    const next = entry.readUInt32LE(12);
    if (next === 0) break;
    at += next;
  }
  return names;
}

async function all(offsets: readonly number[], string: StringReader): Promise<string[]> {
  const texts: string[] = [];
  for (const offset of offsets) texts.push(await string(offset));
  return texts;
}
