import { describe, expect, test } from "vitest";
import { foldPath } from "../../src/tree/fold-path.ts";

describe("foldPath", () => {
  test.each([
    ["README.md", "readme.MD"],
    ["straße", "STRASSE"],
    ["ß", "ẞ"],
    ["ſ", "s"],
    ["ﬁ", "fi"],
    ["ς", "σ"],
    ["ΑΣ", "ας"],
    ["K", "k"],
    ["Å", "å"],
    ["é", "e\u0301"],
    ["É", "e\u0301"],
    ["ŉ", "ʼn"],
    ["ǰ", "J\u030c"],
    ["ᾳ", "ᾼ"],
    ["Ꭰ", "ꭰ"],
    ["\u03b1\u0345\u0301", "\u03b1\u0301\u0345"],
    ["q\u0323\u0307", "Q\u0307\u0323"],
  ])("%s and %s are one", (a, b) => {
    expect(foldPath(a)).toBe(foldPath(b));
  });

  test.each([
    ["a", "á"],
    ["a-b", "a_b"],
    ["o", "0"],
    ["ｆ", "f"],
    ["²", "2"],
  ])("%s and %s are two", (a, b) => {
    expect(foldPath(a)).not.toBe(foldPath(b));
  });

  test("does not follow the machine's locale: I and i are one, also where Turkish is spoken", () => {
    expect(foldPath("FILE")).toBe("file");
  });
});
