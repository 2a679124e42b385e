import { describe, expect, it } from "vitest";
import { parseHeader } from "../../src/archive/parse-header.ts";
import { header } from "../support/tarball.ts";

const base256 = (...bytes: number[]) => Buffer.from([...bytes, ...Array(12 - bytes.length).fill(1)]);
const text = (value: string) => Buffer.from(value, "latin1");

describe("parseHeader refuses", () => {
  it.each<[string, string, Buffer]>([
    ["wrong checksum", "archive.header-checksum", header({ name: "p/a", checksum: 1 })],
    ["unknown magic", "archive.header-magic", header({ name: "p/a", magic: "ustar\x0001" })],
    ["magic of star without version", "archive.header-magic", header({ name: "p/a", magic: "ustar" })],
    ["mode with a letter", "archive.header-mode", header({ name: "p/a", mode: text("00644x\0\0") })],
    ["mode that is empty", "archive.header-mode", header({ name: "p/a", mode: Buffer.alloc(8) })],
    [
      "mode in base 256",
      "archive.header-mode",
      header({ name: "p/a", mode: Buffer.from([0x80, 0, 0, 0, 0, 0, 1, 0xa4]) }),
    ],
    ["negative mode", "archive.header-mode", header({ name: "p/a", mode: text("-000644\0") })],
    [
      "size with digits after its end",
      "archive.header-size",
      header({ name: "p/a", size: text("00000001\x00001") }),
    ],
    ["size with an 8", "archive.header-size", header({ name: "p/a", size: text("00000000008\0") })],
    ["size with a sign", "archive.header-size", header({ name: "p/a", size: text("-0000000001\0") })],
    ["size in hex", "archive.header-size", header({ name: "p/a", size: text("0x000000010\0") })],
    ["negative base-256 size", "archive.header-size", header({ name: "p/a", size: base256(0xff, 0xff) })],
    ["huge base-256 size", "archive.header-size", header({ name: "p/a", size: base256(0x80, 0x7f) })],
    ["empty size", "archive.header-size", header({ name: "p/a", size: Buffer.alloc(12) })],
    [
      "GNU header with a prefix",
      "archive.header-prefix",
      header({ name: "a", magic: "ustar  \0", prefix: "p" }),
    ],
    [
      "old header with a prefix",
      "archive.header-prefix",
      header({ name: "a", magic: "\0".repeat(8), prefix: "p" }),
    ],
    ["file with a link target", "archive.header-link-name", header({ name: "p/a", linkName: "x" })],
    ["name that goes on after a zero", "archive.header-text", header({ name: "p/a\0b" })],
    ["setuid", "archive.mode-special", header({ name: "p/a", mode: 0o4755 })],
    ["setgid", "archive.mode-special", header({ name: "p/a", mode: 0o2755, type: "5" })],
    ["sticky", "archive.mode-special", header({ name: "p/a", mode: 0o1777, type: "5" })],
    ["hard link", "archive.hard-link", header({ name: "p/a", type: "1", linkName: "p/b" })],
    ["symbolic link", "archive.symlink", header({ name: "p/a", type: "2", linkName: "b" })],
    ["character device", "archive.device", header({ name: "p/a", type: "3" })],
    ["block device", "archive.device", header({ name: "p/a", type: "4" })],
    ["FIFO", "archive.fifo", header({ name: "p/a", type: "6" })],
    ["contiguous file", "archive.contiguous", header({ name: "p/a", type: "7" })],
    ["GNU sparse file", "archive.sparse", header({ name: "p/a", type: "S", magic: "ustar  \0" })],
    ["GNU long link name", "archive.type-unknown", header({ name: "p/a", type: "K" })],
    ["GNU dump directory", "archive.type-unknown", header({ name: "p/a", type: "D" })],
    ["old pax header of Solaris", "archive.type-unknown", header({ name: "p/a", type: "X" })],
    ["continuation of a file", "archive.type-unknown", header({ name: "p/a", type: "M" })],
    ["an unassigned type", "archive.type-unknown", header({ name: "p/a", type: "Z" })],
  ])("%s: %s", (_, code, block) => {
    expect(() => parseHeader(block, "test")).toThrow(expect.objectContaining({ code }));
  });
});

describe("parseHeader reads", () => {
  it.each<[string, Parameters<typeof header>[0], object]>([
    ["a file", { name: "p/a", size: 5 }, { kind: "file", mode: 0o644, size: 5 }],
    ["a file of type zero byte", { name: "p/a", type: "\0" }, { kind: "file" }],
    [
      "a mode with the file's type, as old npm wrote it",
      { name: "p/a", mode: 0o100755 },
      { kind: "file", mode: 0o755 },
    ],
    ["numbers with spaces", { name: "p/a", size: text("         17 ") }, { size: 15 }],
    ["a size that fills its field", { name: "p/a", size: text("000000000017") }, { size: 15 }],
    ["an old header", { name: "p/a", magic: "\0".repeat(8) }, { kind: "file" }],
    ["a GNU header", { name: "p/a", magic: "ustar  \0" }, { kind: "file" }],
    ["a directory", { name: "p/a/", type: "5" }, { kind: "directory" }],
    ["a pax header", { name: "x", type: "x" }, { kind: "pax" }],
    ["a global pax header", { name: "x", type: "g" }, { kind: "pax-global" }],
    ["a GNU long name", { name: "x", type: "L" }, { kind: "gnu-long-name" }],
  ])("%s", (_, fields, expected) => {
    expect(parseHeader(header(fields), "test")).toMatchObject(expected);
  });

  it("joins prefix and name", () => {
    const { path } = parseHeader(header({ name: "b", prefix: "p/a" }), "test");
    expect(Buffer.from(path).toString()).toBe("p/a/b");
  });

  it("reads a name that fills its field", () => {
    expect(parseHeader(header({ name: "n".repeat(100) }), "test").path).toHaveLength(100);
  });
});
