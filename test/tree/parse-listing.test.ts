import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { isSealpackError } from "../../src/errors.ts";
import type { Entry } from "../../src/tree/entry.ts";
import type { TreeCode } from "../../src/tree/errors.ts";
import { parseListing } from "../../src/tree/parse-listing.ts";
import { printListing } from "../../src/tree/print-listing.ts";
import { toListing } from "../../src/tree/to-listing.ts";

const hex = "0123456789abcdef".repeat(4);
const header = "sealpack-tree/v1\n";
const directory = (path: string) => `d\t-\t-\t${path}\n`;
const file = (path: string, size = "3", type = "f", digest = hex) => `${type}\t${size}\t${digest}\t${path}\n`;

function codeOf(text: string | Uint8Array): string {
  try {
    parseListing(typeof text === "string" ? Buffer.from(text) : text);
    return "sound";
  } catch (error) {
    return isSealpackError(error) ? error.code : String(error);
  }
}

describe("parseListing", () => {
  test("reads what design 2 shows", () => {
    const bytes = Buffer.from(
      header + directory("node_modules") + file("node_modules/a.json") + file("node_modules/b", "12", "x"),
    );
    expect(parseListing(bytes)).toEqual({
      entries: [
        { type: "d", size: 0, digest: "", path: "node_modules" },
        { type: "f", size: 3, digest: hex, path: "node_modules/a.json" },
        { type: "x", size: 12, digest: hex, path: "node_modules/b" },
      ],
      digest: createHash("sha256").update(bytes).digest("hex"),
      bytes: 15,
    });
  });

  const deep = (count: number) => Array.from({ length: count }, (_, index) => `${"d/".repeat(index)}d`);
  const longName = "n".repeat(250);
  const long = (count: number) =>
    Array.from({ length: count }, (_, index) => `${longName}/`.repeat(index) + longName);

  test.each<[string, string | Uint8Array, TreeCode | "sound"]>([
    ["nothing listed", header, "sound"],
    ["an empty file", header + file("a", "0"), "sound"],
    ["64 levels", header + deep(64).map(directory).join(""), "sound"],
    ["names that only look alike", header + file("a") + file("á"), "sound"],
    ["no byte", "", "tree.listing-version"],
    ["version 2", "sealpack-tree/v2\n", "tree.listing-version"],
    ["a byte order mark", `\ufeff${header}`, "tree.listing-version"],
    ["CRLF", header.replace("\n", "\r\n"), "tree.listing-version"],
    ["no newline after the header", "sealpack-tree/v1", "tree.listing-end"],
    ["no final newline", header + file("a").trimEnd(), "tree.listing-end"],
    [
      "invalid UTF-8",
      Buffer.concat([Buffer.from(header), Buffer.from([0xff, 0x0a])]),
      "tree.listing-not-utf8",
    ],
    [
      "an encoded surrogate",
      Buffer.concat([Buffer.from(header), Buffer.from([0xed, 0xa0, 0x80])]),
      "tree.listing-not-utf8",
    ],
    [
      "an overlong slash",
      Buffer.concat([Buffer.from(header), Buffer.from([0xc0, 0xaf])]),
      "tree.listing-not-utf8",
    ],
    ["an empty line", `${header}\n`, "tree.listing-line"],
    ["spaces for TABs", header + directory("a").replaceAll("\t", " "), "tree.listing-line"],
    ["a fifth field", header + file("a\tb"), "tree.listing-line"],
    ["no path", header + file(""), "tree.listing-line"],
    ["an unknown type", header + file("a", "3", "l"), "tree.listing-line"],
    ["a directory with a size", `${header}d\t0\t-\ta\n`, "tree.listing-line"],
    ["a file without a digest", `${header}f\t3\t-\ta\n`, "tree.listing-line"],
    ["an upper-case digest", header + file("a", "3", "f", hex.toUpperCase()), "tree.listing-line"],
    ["a short digest", header + file("a", "3", "f", hex.slice(1)), "tree.listing-line"],
    ["a leading zero", header + file("a", "03"), "tree.listing-line"],
    ["a negative size", header + file("a", "-3"), "tree.listing-line"],
    ["a size in hex", header + file("a", "0x3"), "tree.listing-line"],
    ["a size beyond 2^53", header + file("a", "9007199254740992"), "tree.listing-line"],
    ["too many bytes of files", header + file("a", "9007199254740991"), "tree.listing-too-large"],
    ["unsorted", header + file("b") + file("a"), "tree.listing-order"],
    ["sorted by UTF-16", header + file("\u{1d54f}") + file("\ufb01"), "tree.listing-order"],
    ["sorted by a locale", header + file("a") + file("B"), "tree.listing-order"],
    ["twice", header + file("a") + file("a"), "tree.listing-duplicate"],
    ["a parent that is not listed", header + file("a/b"), "tree.listing-parent"],
    ["a parent that is a file", header + file("a") + file("a/b"), "tree.listing-parent"],
    ["a newline in a path", header + directory("a\nb"), "tree.listing-line"],
    ["a control character", header + file("a\u0001"), "tree.path-control-character"],
    ["DEL", header + file("a\u007f"), "tree.path-control-character"],
    ["a C1 control character", header + file("a\u0085"), "tree.path-control-character"],
    ["NUL", header + file("a\0"), "tree.path-control-character"],
    ["a backslash", header + file("a\\b"), "tree.path-backslash"],
    ["an absolute path", header + file("/a"), "tree.path-segment"],
    ["an empty segment", header + directory("a") + file("a//b"), "tree.path-segment"],
    ["a trailing slash", header + directory("a/"), "tree.path-segment"],
    [".", header + directory("."), "tree.path-segment"],
    ["..", header + directory(".."), "tree.path-segment"],
    ["a/..", header + directory("a") + directory("a/.."), "tree.path-segment"],
    ["65 levels", header + deep(65).map(directory).join(""), "tree.path-too-deep"],
    ["1,004 bytes of path", header + long(4).map(directory).join(""), "sound"],
    ["1,255 bytes of path", header + long(5).map(directory).join(""), "tree.path-too-long"],
    ["sealpack.json", header + file("sealpack.json"), "tree.path-reserved"],
    ["sealpack.tree", header + file("sealpack.tree"), "tree.path-reserved"],
    ["Sealpack.JSON", header + file("Sealpack.JSON"), "tree.path-reserved"],
    ["sealpack.json below the root", header + directory("a") + file("a/sealpack.json"), "sound"],
    ["case", header + file("README") + file("readme"), "tree.path-collision"],
    ["a directory's case", header + directory("A") + directory("a"), "tree.path-collision"],
    ["NFC and NFD", header + file("e\u0301") + file("\u00e9"), "tree.path-collision"],
    ["ß and ss", header + file("strasse") + file("straße"), "tree.path-collision"],
  ])("%s: %#", (_name, bytes, code) => {
    expect(codeOf(bytes)).toBe(code);
  });

  test("refuses more than 64 MiB before it decodes them", () => {
    expect(codeOf(Buffer.alloc(64 * 1024 * 1024 + 1, 0xff))).toBe("tree.listing-too-large");
  });

  test("refuses more entries than a pack may have", () => {
    expect(codeOf(header + "x\n".repeat(250_001))).toBe("tree.listing-too-large");
  });
});

describe("toListing", () => {
  const entries: Entry[] = [
    { type: "f", size: 1, digest: hex, path: "a/b" },
    { type: "d", size: 0, digest: "", path: "a" },
    { type: "f", size: 2, digest: hex, path: "a-b" },
  ];

  test("sorts by bytes and agrees with the parser", () => {
    const listing = toListing(entries);
    expect(listing.entries.map((entry) => entry.path)).toEqual(["a", "a-b", "a/b"]);
    expect(parseListing(printListing(listing.entries))).toEqual(listing);
  });

  test("refuses what the parser refuses", () => {
    expect(() => toListing([...entries, { type: "f", size: 1, digest: hex, path: "A" }])).toThrow(
      expect.objectContaining({ code: "tree.path-collision" }),
    );
  });
});
