import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { type ElfDynamic, readElfDynamic } from "./elf-dynamic.ts";
import { type ElfHeader, isElf, readElfHeader } from "./elf-header.ts";
import { type ElfReader, openElfReader } from "./elf-reader.ts";

export interface ElfFile extends ElfDynamic {
  readonly machine: number;
  readonly type: number;
  /** PT_INTERP: absolute path of the dynamic linker; absent in a static executable and most libraries. */
  readonly interpreter?: string;
}

const interpreterType = 3;

/**
 * What a 64-bit little-endian ELF file needs of its host. Reads a few pieces, never the whole file; `shown` names it in
 * errors.
 * @throws host-needs.malformed-elf
 */
export async function readElf(path: string, shown: string = path): Promise<ElfFile> {
  return withFile(path, async (handle) => {
    const reader = await openElfReader(handle, shown);
    const header = await readElfHeader(reader);
    const interpreter = await readInterpreter(reader, header);
    const dynamic = await readElfDynamic(reader, header);
    return { machine: header.machine, type: header.type, ...dynamic, ...(interpreter && { interpreter }) };
  });
}

/** O_NONBLOCK: a FIFO at a file's place is an error, not a hang. */
export async function withFile<T>(path: string, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    return await use(handle);
  } finally {
    await handle.close();
  }
}

export async function isElfFile(path: string): Promise<boolean> {
  return withFile(path, async (handle) => {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return bytesRead === 4 && isElf(buffer);
  });
}

async function readInterpreter(reader: ElfReader, header: ElfHeader): Promise<string | undefined> {
  const segment = header.segments.find(({ type }) => type === interpreterType);
  if (segment === undefined) return undefined;
  const path = await reader.readString(segment.offset, segment.offset + segment.size, "interpreter");
  if (path === "") throw reader.malformed("interpreter", "a path", "nothing");
  return path;
}
