import { Buffer } from "node:buffer";
import { expect, test } from "vitest";
import { BoundedOutput } from "../../src/sandbox/bounded-output.ts";
import { type CallEnd, CallEnds, parseCallReport, withoutMarks } from "../../src/sandbox/call-report.ts";

const nonce = "0123456789abcdef0123456789abcdef";
const begin = `\n${nonce} begin\n`;
const parse = (text: string, known?: CallEnd) => {
  const { began, end, bytes } = parseCallReport(Buffer.from(text), nonce, known);
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

test("an end that was seen in what was not kept", () => {
  expect(parse(`${begin}aaaa`, { kind: "exit", exitCode: 0, timedOut: false })).toEqual({
    began: true,
    end: exit(0),
    text: "aaaa",
  });
});

test("a call is over when both streams say so, wherever a chunk ends and whatever follows", () => {
  const ends = new CallEnds(nonce);
  const output = new BoundedOutput(10);
  const push = (text: string) => ends.look("stdout", output.push(Buffer.from(text)));
  push(`aaaa\n${nonce.slice(0, 9)}`);
  push(`${nonce.slice(9)} end 0`);
  expect(ends.stdout).toBeUndefined();
  push(`\n${"b".repeat(5000)}`);
  expect(ends.stdout).toEqual(exit(0));
  expect(ends.look("stderr", Buffer.from(`x${nonce} end 0\n`))).toBe(false);
  expect(ends.look("stderr", Buffer.from(`\n${nonce} end 0\n`))).toBe(true);
});

test("a streamed stdout without banner and marks", () => {
  const strip = (text: string) => withoutMarks(Buffer.from(text), nonce).toString("utf8");
  expect(strip(`banner${begin}out\n\n${nonce} end 0\n`)).toBe("out\n");
  expect(strip("cut")).toBe("cut");
});
