import { inflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { parseBits, printBits } from "../../src/admission/remote/bit-set.ts";
import { printReport } from "../../src/admission/remote/print-report.ts";
import { parseRemoteReport } from "../../src/admission/remote-answer.ts";
import { toRandom } from "../support/random-pack.ts";

const sound = { ok: true, counts: {}, findings: [], entries: 3, bytes: 4, milliseconds: 5 };

test("a report is what was printed", () => {
  const printed = printReport(sound, 1000);
  expect(parseRemoteReport(JSON.parse(inflateRawSync(Buffer.from(printed, "base64")).toString()))).toEqual(
    sound,
  );
});

test("a report of any number of findings fits, keeps all counts and the first findings", () => {
  const random = toRandom(1);
  const findings = Array.from({ length: 20_000 }, (_, index) => ({
    code: "tree.extra-file",
    path: `node_modules/${random()}/${index}`,
    expected: "nothing",
    got: "x".repeat(1000),
  }));
  const printed = printReport({ ...sound, ok: false, counts: { "tree.extra-file": 20_000 }, findings }, 8000);
  expect(printed.length).toBeLessThanOrEqual(8000);
  const report = parseRemoteReport(JSON.parse(inflateRawSync(Buffer.from(printed, "base64")).toString()));
  expect(report.counts).toEqual({ "tree.extra-file": 20_000 });
  expect(report.findings.length).toBeGreaterThan(10);
  expect(report.findings[0]?.path).toBe(findings[0]?.path);
});

test.each([
  ["nothing", null],
  ["a list", []],
  ["ok as text", { ...sound, ok: "true" }],
  ["ok with a count", { ...sound, counts: { "tree.content": 1 } }],
  ["ok with a finding", { ...sound, findings: [{ code: "a", path: "b", expected: "c", got: "d" }] }],
  ["not ok without a count", { ...sound, ok: false }],
  ["a count below zero", { ...sound, ok: false, counts: { "tree.content": -1 } }],
  ["a finding without a path", { ...sound, ok: false, counts: { a: 1 }, findings: [{ code: "a" }] }],
])("%s is no report", (_, value) => {
  expect(() => parseRemoteReport(value)).toThrowError();
});

test("bits are what was printed", () => {
  const random = toRandom(2);
  for (let length = 0; length < 100; length += 1) {
    const set = Array.from({ length }, (_, index) => index).filter(() => random() < 0.5);
    expect(parseBits(printBits(set, length), length)).toEqual(set);
  }
});
