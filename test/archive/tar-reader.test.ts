import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultLimits, type Limits } from "../../src/archive/limits.ts";
import { type EntrySink, type TarEntry, TarReader } from "../../src/archive/tar-reader.ts";
import { directory, endMark, entry, file, header, longName, pax, tar } from "../support/tarball.ts";

/** Collects entries with their bodies. */
class ListSink implements EntrySink {
  readonly entries: (TarEntry & { body: string })[] = [];
  isOpen = false;
  open(opened: TarEntry): void {
    this.entries.push({ ...opened, body: "" });
    this.isOpen = true;
  }
  write(chunk: Uint8Array): void {
    const last = this.entries.at(-1);
    if (last) last.body += Buffer.from(chunk).toString("latin1");
  }
  close(): void {
    this.isOpen = false;
  }
}

function read(chunks: readonly Uint8Array[], limits: Limits = defaultLimits) {
  const sink = new ListSink();
  const reader = new TarReader(sink, limits, "test");
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  expect(sink.isOpen).toBe(false);
  return sink.entries;
}

const long = `p/${"long-name/".repeat(30)}ä`;

describe("TarReader reads", () => {
  it("files, folders, empty files", () => {
    const entries = read([tar(directory("p/"), file("p/a", "body"), file("p/b"), directory("p/c/"))]);
    expect(entries.map(({ path, kind, body }) => [path, kind, body])).toEqual([
      ["p", "directory", ""],
      ["p/a", "file", "body"],
      ["p/b", "file", ""],
      ["p/c", "directory", ""],
    ]);
  });

  it("a path from a pax header, from a GNU long name, and only for the next entry", () => {
    const entries = read([tar(pax({ path: long }), file("p/x"), file("p/y"), longName(long), file("p/z"))]);
    expect(entries.map(({ path }) => path)).toEqual([long, "p/y", long]);
  });

  it("a size from a pax header", () => {
    const block = entry({ name: "p/a", size: 0 }, "body");
    expect(read([tar(pax({ size: "4" }), block, file("p/b"))])).toMatchObject([
      { body: "body" },
      { path: "p/b" },
    ]);
  });

  it("past git's global comment, and zeros behind the end mark", () => {
    const archive = tar(pax({ comment: "0".repeat(40) }, "g"), file("p/a"));
    expect(read([archive, Buffer.alloc(9216)])).toHaveLength(1);
  });

  it("the same from any chunks", () => {
    const archive = tar(
      pax({ path: long }),
      file("p/x", "x".repeat(700)),
      file("p/y", "y".repeat(512)),
      longName(long),
      file("z"),
    );
    const whole = read([archive]);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 1500 }), { minLength: 1 }), (lengths) => {
        const chunks: Buffer[] = [];
        for (let offset = 0, turn = 0; offset < archive.length; turn += 1) {
          const length = lengths[turn % lengths.length] ?? 1;
          chunks.push(archive.subarray(offset, offset + length));
          offset += length;
        }
        expect(read(chunks)).toEqual(whole);
      }),
      { seed: 1, numRuns: 200 },
    );
  });
});

describe("TarReader refuses", () => {
  const limits = (change: Partial<Limits>) => ({ ...defaultLimits, ...change });
  it.each<[string, string, Buffer, Limits?]>([
    ["nothing", "archive.truncated", Buffer.alloc(0)],
    ["no end mark", "archive.truncated", file("p/a", "body")],
    [
      "half a header",
      "archive.truncated",
      Buffer.concat([file("p/a"), header({ name: "p/b" }).subarray(0, 100)]),
    ],
    ["half a body", "archive.truncated", Buffer.concat([header({ name: "p/a", size: 2000 }), endMark])],
    [
      "half a padding",
      "archive.truncated",
      Buffer.concat([header({ name: "p/a", size: 4 }), Buffer.from("body")]),
    ],
    ["one zero block at the end", "archive.lone-zero-block", Buffer.concat([file("p/a"), Buffer.alloc(512)])],
    [
      "one zero block in between",
      "archive.lone-zero-block",
      tar(file("p/a"), Buffer.alloc(512), file("p/b")),
    ],
    ["no entries", "archive.empty", endMark],
    ["only a global header", "archive.empty", tar(pax({ comment: "x" }, "g"))],
    ["an archive behind the end mark", "archive.trailing-data", tar(tar(file("p/a")), file("p/b"))],
    [
      "one byte behind the end mark",
      "archive.trailing-data",
      Buffer.concat([tar(file("p/a")), Buffer.from("x")]),
    ],
    [
      "a byte far behind it",
      "archive.trailing-data",
      Buffer.concat([tar(file("p/a")), Buffer.alloc(600_000), Buffer.from("x")]),
    ],
    [
      "a directory with a size",
      "archive.directory-size",
      tar(entry({ name: "p/a/", type: "5", size: 4 }, "body")),
    ],
    ["a directory with a pax size", "archive.directory-size", tar(pax({ size: "1" }), directory("p/a/"))],
    ["a pax header before the end", "archive.extension-dangling", tar(file("p/a"), pax({ path: "p/b" }))],
    ["a long name before the end", "archive.extension-dangling", tar(file("p/a"), longName("p/b"))],
    ["two pax headers", "archive.name-twice", tar(pax({ path: "p/a" }), pax({ path: "p/b" }), file("p/c"))],
    ["two long names", "archive.name-twice", tar(longName("p/a"), longName("p/b"), file("p/c"))],
    [
      "a pax path and a long name",
      "archive.name-twice",
      tar(pax({ path: "p/a" }), longName("p/b"), file("p/c")),
    ],
    [
      "a long name and a pax path",
      "archive.name-twice",
      tar(longName("p/a"), pax({ path: "p/b" }), file("p/c")),
    ],
    ["a long name that goes on", "archive.header-text", tar(longName("p/a\0/../x"), file("p/c"))],
    ["a global path", "archive.pax-global", tar(pax({ path: "p/a" }, "g"), file("p/c"))],
    ["a global size", "archive.pax-global", tar(pax({ size: "512" }, "g"), file("p/c"))],
    [
      "a name that is not UTF-8",
      "archive.path-encoding",
      tar(file("p/x", "", { name: Buffer.from("p/\xff", "latin1") })),
    ],
    [
      "a pax path that is not UTF-8",
      "archive.path-encoding",
      tar(pax({ path: Buffer.from([0x70, 0x2f, 0xc3]) }), file("p/c")),
    ],
    [
      "an overlong slash",
      "archive.path-encoding",
      tar(file("p/x", "", { name: Buffer.from([0x70, 0xc0, 0xaf]) })),
    ],
    [
      "a surrogate",
      "archive.path-encoding",
      tar(file("p/x", "", { name: Buffer.from([0x70, 0x2f, 0xed, 0xa0, 0x80]) })),
    ],
    [
      "too many headers",
      "archive.too-many-entries",
      tar(file("p/a"), file("p/b"), file("p/c")),
      limits({ entries: 2 }),
    ],
    ["too many bytes", "archive.too-many-bytes", tar(file("p/a")), limits({ bytes: 1535 })],
    ["too large a file", "archive.file-too-large", tar(file("p/a", "body")), limits({ fileBytes: 3 })],
    ["too large a pax size", "archive.file-too-large", tar(pax({ size: "999999999999" }), file("p/a"))],
    ["the largest octal size", "archive.file-too-large", tar(header({ name: "p/a", size: 0o77777777777 }))],
    [
      "too large a pax header",
      "archive.extension-too-large",
      tar(header({ name: "x", type: "x", size: 1024 ** 3 })),
    ],
    [
      "too large a long name",
      "archive.extension-too-large",
      tar(header({ name: "x", type: "L", size: 1024 ** 3 })),
    ],
    [
      "too large a global header",
      "archive.extension-too-large",
      tar(header({ name: "x", type: "g", size: 1024 ** 3 })),
    ],
    [
      "a pax header larger than one may be",
      "archive.extension-too-large",
      tar(header({ name: "x", type: "x", size: 1024 ** 2 + 1 })),
    ],
    [
      "too many large pax headers",
      "archive.extension-too-large",
      tar(pax({ comment: "x" }), file("p/a"), pax({ comment: "x" }), file("p/b")),
      limits({ extensionTotal: 20 }),
    ],
  ])("%s: %s", (_, code, archive, bound) => {
    expect(() => read([archive], bound)).toThrow(expect.objectContaining({ code }));
  });
});
