import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { assertGzipTrailer, parseGzipHeader } from "../../src/archive/gzip.ts";

const head = (flags: number, ...rest: number[]) =>
  Buffer.from([0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 3, ...rest]);

describe("parseGzipHeader", () => {
  it.each<[string, Buffer, number]>([
    ["plain", head(0, 1, 2, 3), 10],
    ["text flag", head(1), 10],
    ["extra field", head(4, 2, 0, 9, 9), 14],
    ["name", head(8, 0x61, 0), 12],
    ["comment", head(16, 0x61, 0x62, 0), 13],
    ["checksum of the header", head(2, 9, 9), 12],
    ["all of them", head(31, 1, 0, 9, 0x61, 0, 0x62, 0, 9, 9), 19],
  ])("measures: %s", (_, bytes, length) => {
    expect(parseGzipHeader(bytes, "test")).toBe(length);
  });

  it.each<[string, Buffer, string]>([
    ["nothing", Buffer.alloc(0), "archive.gzip-truncated"],
    ["nine bytes", head(0).subarray(0, 9), "archive.gzip-truncated"],
    ["extra field beyond the end", head(4, 255, 255), "archive.gzip-truncated"],
    ["name without an end", head(8, 0x61), "archive.gzip-truncated"],
    ["a plain tar", Buffer.alloc(512, "p"), "archive.gzip-header"],
    ["another first byte", Buffer.from([0x1e, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]), "archive.gzip-header"],
    ["another second byte", Buffer.from([0x1f, 0x9d, 8, 0, 0, 0, 0, 0, 0, 3]), "archive.gzip-header"],
    ["another method", Buffer.from([0x1f, 0x8b, 7, 0, 0, 0, 0, 0, 0, 3]), "archive.gzip-header"],
    ["reserved flags", head(0x20), "archive.gzip-header"],
    ["zstd", Buffer.from("28b52ffd000000000000", "hex"), "archive.gzip-header"],
  ])("refuses: %s", (_, bytes, code) => {
    expect(() => parseGzipHeader(bytes, "test")).toThrow(expect.objectContaining({ code }));
  });
});

describe("assertGzipTrailer", () => {
  const trailer = gzipSync("bytes").subarray(-8);
  const crc = trailer.readUInt32LE(0);

  it("accepts what gzip wrote, and lengths modulo 2^32", () => {
    expect(() => assertGzipTrailer(trailer, { crc, bytes: 5 }, "test")).not.toThrow();
    expect(() => assertGzipTrailer(trailer, { crc, bytes: 5 + 2 ** 32 }, "test")).not.toThrow();
  });

  it.each([
    { crc: crc ^ 1, bytes: 5 },
    { crc, bytes: 6 },
  ])("refuses %j", (seen) => {
    expect(() => assertGzipTrailer(trailer, seen, "test")).toThrow(
      expect.objectContaining({ code: "archive.gzip-checksum" }),
    );
  });
});
