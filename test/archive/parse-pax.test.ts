import { describe, expect, it } from "vitest";
import { assertHarmlessGlobal, parsePax } from "../../src/archive/parse-pax.ts";
import { paxRecord } from "../support/tarball.ts";

const raw = (text: string) => Buffer.from(text, "latin1");

describe("parsePax refuses", () => {
  it.each<[string, string, Buffer]>([
    ["length beyond the header", "archive.pax-format", raw("99 path=p/a\n")],
    ["length too short", "archive.pax-format", raw("9 path=p/a\n")],
    ["length of zero", "archive.pax-format", raw("0 path=p/a\n")],
    ["length with a sign", "archive.pax-format", raw("+13 path=p/a\n")],
    ["length in hex", "archive.pax-format", raw("0xd path=p/a\n")],
    ["length with a zero before it", "archive.pax-format", raw("013 path=p/a\n")],
    ["length of many digits", "archive.pax-format", raw("000000000000000000012 path=p/a\n")],
    ["no length", "archive.pax-format", raw("path=p/a\n")],
    ["no newline", "archive.pax-format", raw("11 path=p/a")],
    ["no equals sign", "archive.pax-format", raw("8 path\n\n")],
    ["no equals sign of its own", "archive.pax-format", raw("7 path\n12 path=p/a\n")],
    ["no key", "archive.pax-format", raw("7 =p/a\n")],
    ["zero bytes behind the records", "archive.pax-format", raw("12 path=p/a\n\0")],
    ["unknown key", "archive.pax-key", paxRecord("hdrcharset", "BINARY")],
    ["link target", "archive.pax-key", paxRecord("linkpath", "/etc/passwd")],
    ["type", "archive.pax-key", paxRecord("type", "2")],
    ["mode", "archive.pax-key", paxRecord("mode", "4755")],
    ["__proto__", "archive.pax-key", paxRecord("__proto__", "x")],
    ["sparse file 1.0", "archive.sparse", paxRecord("GNU.sparse.major", "1")],
    ["sparse name", "archive.sparse", paxRecord("GNU.sparse.name", "../x")],
    ["sparse file of star", "archive.sparse", paxRecord("SCHILY.realsize", "1")],
    [
      "a key twice",
      "archive.pax-duplicate",
      Buffer.concat([paxRecord("path", "p/a"), paxRecord("path", "p/b")]),
    ],
    ["negative size", "archive.pax-size", paxRecord("size", "-1")],
    ["size in hex", "archive.pax-size", paxRecord("size", "0x10")],
    ["size with an exponent", "archive.pax-size", paxRecord("size", "1e3")],
    ["size beyond safe integers", "archive.pax-size", paxRecord("size", "9007199254740993")],
    ["size of nothing", "archive.pax-size", paxRecord("size", "")],
  ])("%s: %s", (_, code, body) => {
    expect(() => parsePax(body, "test")).toThrow(expect.objectContaining({ code }));
  });
});

describe("parsePax reads", () => {
  it("path and size, and ignores what we do not keep", () => {
    const body = Buffer.concat([
      paxRecord("mtime", "1.5"),
      paxRecord("path", "p/ä\nb"),
      paxRecord("size", "12"),
      paxRecord("SCHILY.xattr.user.x", Buffer.from([0, 255, 10])),
    ]);
    const { path, size } = parsePax(body, "test");
    expect([Buffer.from(path ?? []).toString(), size]).toEqual(["p/ä\nb", 12]);
  });

  it("nothing", () => {
    expect(parsePax(Buffer.alloc(0), "test")).toEqual({});
  });
});

describe("assertHarmlessGlobal", () => {
  it.each(["path", "size"])("refuses %s", (key) => {
    const fields = parsePax(paxRecord(key, "1"), "test");
    expect(() => assertHarmlessGlobal(fields, "test")).toThrow(
      expect.objectContaining({ code: "archive.pax-global" }),
    );
  });

  it("accepts git's comment", () => {
    expect(() =>
      assertHarmlessGlobal(parsePax(paxRecord("comment", "0".repeat(40)), "test"), "test"),
    ).not.toThrow();
  });
});
