import { Buffer } from "node:buffer";
import { expect, test } from "vitest";
import { hasCallEnd, parseCallReport } from "../../src/sandbox/call-report.ts";

const nonce = "0123456789abcdef0123456789abcdef";
const begin = `\n${nonce} begin\n`;
const parse = (text: string, tail = text) => {
  const { began, end, bytes } = parseCallReport(Buffer.from(text), Buffer.from(tail), nonce);
  return { began, end, text: bytes.toString("utf8") };
};

const exit = (exitCode: number, timedOut = false) => ({ kind: "exit", exitCode, timedOut });

const rows: readonly (readonly [string, string, ReturnType<typeof parse>])[] = [
  ["noise only", "Permission denied", { began: false, end: undefined, text: "Permission denied" }],
  [
    "an end without a begin",
    `\n${nonce} end 0\n`,
    { began: false, end: undefined, text: `\n${nonce} end 0\n` },
  ],
  ["cut off", `noise${begin}err`, { began: true, end: undefined, text: "err" }],
  ["whole", `noise${begin}err\n\n${nonce} end 3\n`, { began: true, end: exit(3) as never, text: "err\n" }],
  [
    "timed out",
    `${begin}\n${nonce} end 143 timeout\n`,
    { began: true, end: exit(143, true) as never, text: "" },
  ],
  ["bad directory", `${begin}\n${nonce} end cwd\n`, { began: true, end: { kind: "bad-cwd" }, text: "" }],
  [
    "merged, marks amid",
    `${begin}a${begin}b\n${nonce} end 0\nc`,
    { began: true, end: exit(0) as never, text: "abc" },
  ],
  ["a malformed end", `${begin}a\n${nonce} end 9999\n`, { began: true, end: undefined, text: "a" }],
  ["an end that is not finished", `${begin}a\n${nonce} end 1`, { began: true, end: undefined, text: "a" }],
];
for (const [name, text, report] of rows) test(name, () => expect(parse(text)).toEqual(report));

test("the end is found in the tail where the stream was cut", () => {
  expect(parse(`${begin}aaaa`, `zz\n${nonce} end 0\n`)).toEqual({ began: true, end: exit(0), text: "aaaa" });
});

test("hasCallEnd", () => {
  expect(hasCallEnd(Buffer.from(`x\n${nonce} end 0\n`), nonce)).toBe(true);
  expect(hasCallEnd(Buffer.from(`x\n${nonce} end 0`), nonce)).toBe(false);
  expect(hasCallEnd(Buffer.from(`x${nonce} end 0\n`), nonce)).toBe(false);
});
