import { Buffer } from "node:buffer";
import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import {
  maxAnswerBytes,
  parseAnswerLines,
  parseMarkedAnswer,
  toAnswerMark,
} from "../../src/sandbox/marked-answer.ts";

const nonce = "0123456789abcdef0123456789abcdef";
const begin = `\n${nonce}-answer-begin\n`;
const end = `\n${nonce}-answer-end\n`;
const parse = (text: string) => parseMarkedAnswer(Buffer.from(text), nonce, "box").toString("utf8");

describe("parseMarkedAnswer", () => {
  test("takes what is between the marks, whatever is around", () => {
    expect(parse(`banner\n${begin}a=1\nb=2${end}bye`)).toBe("a=1\nb=2");
    expect(parse(`${begin}${end}`)).toBe("");
    expect(parse(`${begin}${"x".repeat(maxAnswerBytes)}${end}`)).toHaveLength(maxAnswerBytes);
  });

  test("the shell text prints exactly these marks, even after a line without its end", () => {
    const script = `printf banner\n${toAnswerMark(nonce, "begin")}echo a=1\n${toAnswerMark(nonce, "end")}`;
    expect(parse(execFileSync("/bin/sh", ["-c", script]).toString("utf8"))).toBe("a=1\n");
  });

  const bad: readonly (readonly [string, string, string])[] = [
    ["nothing", "", "sandbox.no-answer"],
    ["no begin", `a=1${end}`, "sandbox.no-answer"],
    ["no end", `${begin}a=1`, "sandbox.no-answer"],
    [
      "the marks of another call",
      `${begin.replace("0", "f")}a=1${end.replace("0", "f")}`,
      "sandbox.no-answer",
    ],
    ["a begin inside a line", `x${begin.slice(1)}a=1${end}`, "sandbox.no-answer"],
    ["one byte too long", `${begin}${"x".repeat(maxAnswerBytes + 1)}${end}`, "sandbox.answer-too-long"],
    ["endless", `${begin}${"x".repeat(2 * maxAnswerBytes)}`, "sandbox.answer-too-long"],
    ["two begins", `${begin}a=0${begin}a=1${end}`, "sandbox.answer-malformed"],
    ["two ends", `${begin}a=0${end}${end}`, "sandbox.answer-malformed"],
    ["two answers", `${begin}a=0${end}${begin}a=1${end}`, "sandbox.answer-malformed"],
    ["the end first", `${end}${begin}a=1`, "sandbox.answer-malformed"],
  ];
  for (const [name, text, code] of bad) {
    test(name, () => expect(() => parse(text)).toThrow(expect.objectContaining({ code, exit: 3 })));
  }
});

describe("parseAnswerLines", () => {
  const lines = (text: string) => Object.fromEntries(parseAnswerLines(Buffer.from(text), "box"));

  test("values may hold anything, escaped", () => {
    expect(lines("a.b=1\nc==x=\n\nd=\\\\n\\n\\\\\n")).toEqual({ "a.b": "1", c: "=x=", d: "\\n\n\\" });
  });

  for (const text of [
    "a",
    "=1",
    "A=1",
    "a b=1",
    "a=1\na=1",
    "a=\\x",
    "a=\\",
    `${"a".repeat(81)}=1`,
    "__proto__=1",
  ]) {
    test(`refuses ${JSON.stringify(text.slice(0, 20))}`, () => {
      expect(() => lines(text)).toThrow(expect.objectContaining({ code: "sandbox.answer-malformed" }));
    });
  }
});
