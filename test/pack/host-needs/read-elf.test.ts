import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isSealpackError } from "../../../src/errors.ts";
import { readElf } from "../../../src/pack/host-needs/read-elf.ts";
import { type ElfOptions, elfLayout, makeElf } from "../../support/elf.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sealpack-elf-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function read(bytes: Buffer) {
  const file = join(folder, "file");
  writeFileSync(file, bytes);
  return readElf(file, "file");
}

const full: ElfOptions = {
  interpreter: "/lib64/ld-linux-x86-64.so.2",
  needed: ["libc.so.6", "libm.so.6"],
  runpath: "$ORIGIN/../lib:/opt/lib",
  rpath: "/never",
  versions: { "libc.so.6": ["GLIBC_2.2.5", "GLIBC_2.28"], "libm.so.6": ["GLIBC_2.27"] },
};

describe("readElf", () => {
  it("reads what a dynamic executable needs", async () => {
    expect(await read(makeElf(full))).toEqual({
      machine: 62,
      type: 3,
      interpreter: "/lib64/ld-linux-x86-64.so.2",
      needed: ["libc.so.6", "libm.so.6"],
      runpath: ["$ORIGIN/../lib", "/opt/lib"],
      versions: [
        { library: "libc.so.6", name: "GLIBC_2.2.5" },
        { library: "libc.so.6", name: "GLIBC_2.28" },
        { library: "libm.so.6", name: "GLIBC_2.27" },
      ],
    });
  });

  it("takes DT_RPATH where there is no DT_RUNPATH", async () => {
    expect((await read(makeElf({ needed: [], rpath: "$ORIGIN" }))).runpath).toEqual(["$ORIGIN"]);
  });

  it("finds nothing in a static executable", async () => {
    const elf = await read(makeElf({ type: 2 }));
    expect(elf).toEqual({ machine: 62, type: 2, needed: [], runpath: [], versions: [] });
  });

  it("reads the Node that runs this test as its own linker does", async () => {
    const elf = await readElf(process.execPath);
    expect(elf.needed.some((name) => /^libc\.(so\.6|musl)/.test(name))).toBe(true);
    expect(elf.interpreter).toMatch(/^\/lib(64)?\/ld-/);
  });
});

/** Writes one field of the header, or of the n-th segment (0 load, 1 interpreter, 2 dynamic). */
type Spoil = (bytes: Buffer) => void;
const segment =
  (index: number, field: number, value: bigint): Spoil =>
  (bytes) =>
    bytes.writeBigUInt64LE(value, elfLayout.headers + index * elfLayout.segmentSize + field);
const header16 =
  (at: number, value: number): Spoil =>
  (bytes) =>
    bytes.writeUInt16LE(value, at);

/** Finds the dynamic entry with a tag and writes its value. */
const dynamic =
  (tag: bigint, value: bigint): Spoil =>
  (bytes) => {
    for (let at = bytes.length - 16; at > 0; at -= 16) {
      if (bytes.readBigUInt64LE(at) === tag) return void bytes.writeBigUInt64LE(value, at + 8);
    }
    throw new Error("no such tag");
  };

/** Offset of the first version need: its first field is 1, its second the count of its versions. */
const need =
  (field: number, value: number, bits: 16 | 32): Spoil =>
  (bytes) => {
    const at = bytes.indexOf(Buffer.from([1, 0, 2, 0]), elfLayout.headers + 3 * elfLayout.segmentSize);
    if (bits === 16) bytes.writeUInt16LE(value, at + field);
    else bytes.writeUInt32LE(value, at + field);
  };

const far = 0xffff_ffff_ffffn;

describe("a malformed ELF file", () => {
  it.each<[string, Spoil, string]>([
    ["32-bit", (bytes) => bytes.writeUInt8(1, 4), "header"],
    ["big-endian", (bytes) => bytes.writeUInt8(2, 5), "header"],
    ["of another version", (bytes) => bytes.writeUInt8(9, 6), "header"],
    ["without its magic", (bytes) => bytes.writeUInt8(0, 0), "header"],
    ["with 300 segments", header16(elfLayout.phnum, 300), "program headers"],
    ["with 65535 segments", header16(elfLayout.phnum, 0xffff), "program headers"],
    ["with segments of another size", header16(elfLayout.phentsize, 32), "program header size"],
    [
      "with segments beyond the file",
      (bytes) => bytes.writeBigUInt64LE(far, elfLayout.phoff),
      "program headers",
    ],
    ["with an interpreter beyond the file", segment(1, 8, far), "interpreter"],
    ["with an interpreter that does not end", segment(1, 32, 5n), "interpreter"],
    ["with an empty interpreter", segment(1, 32, 0n), "interpreter"],
    ["with a dynamic section beyond the file", segment(2, 8, far), "dynamic segment"],
    ["with a dynamic section of 2^48 bytes", segment(2, 32, far), "dynamic segment"],
    ["with strings at no address", dynamic(5n, far), "string table"],
    ["with no room for strings", dynamic(10n, 0n), "string"],
    ["with a name beyond the strings", dynamic(1n, 0xffffn), "string"],
    ["with an empty name", dynamic(1n, 0n), "string"],
    ["with a million version needs", dynamic(0x6fffffffn, 1_000_000n), "version needs"],
    ["with version needs at no address", dynamic(0x6ffffffen, 0n), "version needs"],
    ["with a chain of needs that leaves the file", need(12, 0xffff_fff0, 32), "version need"],
    ["with versions that leave the file", need(8, 0xffff_fff0, 32), "version"],
    ["with 60000 versions", need(2, 60_000, 16), "versions"],
  ])("%s is refused", async (_, spoil, what) => {
    const bytes = makeElf(full);
    spoil(bytes);
    await expect(read(bytes)).rejects.toMatchObject({
      code: "host-needs.malformed-elf",
      message: expect.stringContaining(`file: ${what}: expected`),
    });
  });

  it.each([["two dynamic segments", 1, 2]])("with %s is refused", async (_, index, type) => {
    const bytes = makeElf(full);
    bytes.writeUInt32LE(type, elfLayout.headers + index * elfLayout.segmentSize);
    await expect(read(bytes)).rejects.toMatchObject({ code: "host-needs.malformed-elf" });
  });

  it("with a name that is not printable is refused", async () => {
    await expect(read(makeElf({ needed: ["lib\nx.so"] }))).rejects.toMatchObject({
      code: "host-needs.malformed-elf",
    });
    await expect(read(makeElf({ needed: ["lib\u00e9.so"] }))).rejects.toMatchObject({
      code: "host-needs.malformed-elf",
    });
  });

  it("never ends in anything but a malformed-elf error, whatever is cut off or changed", async () => {
    const sound = makeElf(full);
    const change = fc.record({
      length: fc.integer({ min: 0, max: sound.length }),
      edits: fc.array(fc.tuple(fc.nat(sound.length - 1), fc.nat(255)), { maxLength: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(change, async ({ length, edits }) => {
        const bytes = Buffer.from(sound);
        for (const [at, value] of edits) bytes.writeUInt8(value, at);
        const error = await read(bytes.subarray(0, length)).then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        expect(
          error === undefined || (isSealpackError(error) && error.code === "host-needs.malformed-elf"),
        ).toBe(true);
      }),
      { numRuns: 500, seed: 20_261 },
    );
  });
});
