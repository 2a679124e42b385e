import canonicalize from "canonicalize";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { printJson } from "../../src/manifest/print-json.ts";

describe("printJson", () => {
  test.each<[unknown, 0 | 2, string]>([
    [{}, 2, "{}"],
    [[], 2, "[]"],
    [{ b: [], a: {} }, 0, '{"a":{},"b":[]}'],
    [{ b: [1, "x"], a: null }, 2, '{\n  "a": null,\n  "b": [\n    1,\n    "x"\n  ]\n}'],
    [{ é: 1, z: 2, "\u{1d54f}": 3, "\ufb01": 4 }, 0, '{"z":2,"é":1,"\u{1d54f}":3,"\ufb01":4}'],
    ['\u0000\b\t\n\f\r"\\/\u007f\u2028', 0, '"\\u0000\\b\\t\\n\\f\\r\\"\\\\/\u007f\u2028"'],
    [[-0, 1e21, 1e-7, 0.1 + 0.2, true], 0, "[0,1e+21,1e-7,0.30000000000000004,true]"],
  ])("%j at %i", (value, indent, text) => {
    expect(printJson(value, indent)).toBe(text);
  });

  test("at 2 prints as JSON.stringify does where keys are sorted", () => {
    const value = { a: [{ b: 1, c: [[], {}] }], d: "x" };
    expect(printJson(value, 2)).toBe(JSON.stringify(value, null, 2));
  });

  test.each([
    [undefined],
    [{ a: undefined }],
    [[undefined]],
    [Number.NaN],
    [Infinity],
    [1n],
    ["\ud800"],
    [{ "\udc00": 1 }],
  ])("refuses %o", (value) => {
    expect(() => printJson(value, 0)).toThrow(expect.objectContaining({ code: "manifest.not-printable" }));
  });

  const wellFormed = fc.string({ unit: "binary", maxLength: 6 }).filter((text) => text.isWellFormed());
  const value = fc.letrec((tie) => ({
    leaf: fc.oneof(
      wellFormed,
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
    ),
    node: fc.oneof(
      { maxDepth: 4 },
      tie("leaf"),
      fc.array(tie("node"), { maxLength: 4 }),
      fc.dictionary(
        wellFormed.filter((key) => key !== "__proto__"),
        tie("node"),
        { maxKeys: 6 },
      ),
    ),
  })).node;

  test("at 0 prints what the canonicalize library prints", () => {
    fc.assert(
      fc.property(value, (any) => {
        expect(printJson(any, 0)).toBe(canonicalize(any));
      }),
      { numRuns: 1_000 },
    );
  });

  test("prints what parses back, at both indents", () => {
    fc.assert(
      fc.property(value, fc.constantFrom(0 as const, 2 as const), (any, indent) => {
        expect(JSON.parse(printJson(any, indent))).toEqual(JSON.parse(JSON.stringify(any)));
        expect(printJson(JSON.parse(printJson(any, indent)), indent)).toBe(printJson(any, indent));
      }),
      { numRuns: 500 },
    );
  });
});
