import { describe, expect, test } from "vitest";
import { decodeName, showBytes, showPath } from "../../src/tree/show-path.ts";

describe("showing names", () => {
  test.each([
    ["plain ünïcödé 😀", "plain ünïcödé 😀"],
    ["a\nb\tc", "a\\x0ab\\x09c"],
    ["\u001b[31m", "\\x1b[31m"],
    ["\u0085", "\\xc2\\x85"],
    ["evil\u202etxt", "evil\\xe2\\x80\\xaetxt"],
    ["\\x41", "\\x5cx41"],
  ])("%j", (path, shown) => {
    expect(showPath(path)).toBe(shown);
  });

  test("every byte that is not plain ASCII, where the whole is not UTF-8", () => {
    expect(showBytes(Buffer.from([0x61, 0xff, 0x5c, 0x0a, 0xc3, 0xa9]))).toBe("a\\xff\\x5c\\x0a\\xc3\\xa9");
  });

  test("decodes nothing but valid UTF-8", () => {
    expect(decodeName(Buffer.from("é"))).toBe("é");
    expect(decodeName(Buffer.from("\ufeffa"))).toBe("\ufeffa");
    for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82]]) {
      expect(decodeName(Buffer.from(bytes))).toBeUndefined();
    }
  });
});
