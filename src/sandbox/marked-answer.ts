import { Buffer } from "node:buffer";
import { sandboxError } from "./errors.ts";

/** Bound of an answer between its marks, in bytes (design 8). */
export const maxAnswerBytes = 64 * 1024;

/** What to keep of stdout so that an answer of the greatest length still fits behind a login shell's noise. */
export const answerOutputBytes = 4 * maxAnswerBytes;

/** Shell text that prints the mark; on a line of its own, whatever was printed before without a newline. */
export function toAnswerMark(nonce: string, which: "begin" | "end"): string {
  return `printf '\\n%s\\n' ${markOf(nonce, which)}\n`;
}

function markOf(nonce: string, which: "begin" | "end"): string {
  return `${nonce}-answer-${which}`;
}

/**
 * The bytes between the marks, of which there must be exactly one each. Everything around is noise. The sandbox controls all of it:
 * two begins are not a choice to make.
 * @throws SealpackError `sandbox.no-answer`, `sandbox.answer-too-long`, `sandbox.answer-malformed`
 */
export function parseMarkedAnswer(stdout: Uint8Array, nonce: string, subject: string): Buffer {
  const bytes = Buffer.from(stdout);
  const [begin, end] = [
    Buffer.from(`\n${markOf(nonce, "begin")}\n`),
    Buffer.from(`\n${markOf(nonce, "end")}\n`),
  ];
  const start = bytes.indexOf(begin);
  const stop = bytes.indexOf(end);
  if (start < 0 || (stop < 0 && bytes.length - start < maxAnswerBytes)) throw noAnswer(subject, start);
  const length = (stop < 0 ? bytes.length : stop) - start - begin.length;
  if (length > maxAnswerBytes || stop < 0) {
    throw sandboxError("sandbox.answer-too-long", {
      subject,
      expected: `at most ${maxAnswerBytes} bytes`,
      got: `${length} or more`,
    });
  }
  if (length < 0 || bytes.lastIndexOf(begin) !== start || bytes.lastIndexOf(end) !== stop) {
    throw sandboxError("sandbox.answer-malformed", {
      subject,
      expected: "one pair of marks",
      got: "several or out of order",
    });
  }
  return bytes.subarray(start + begin.length, stop);
}

function noAnswer(subject: string, start: number) {
  return sandboxError("sandbox.no-answer", {
    subject,
    expected: "an answer between its marks",
    got: start < 0 ? "none" : "one that does not end",
  });
}

const line = /^([a-z0-9.-]{1,80})=(.*)$/s;

/** `key=value` lines, each key once; `\\` and `\n` stand for a backslash and a newline. @throws `sandbox.answer-malformed` */
export function parseAnswerLines(answer: Uint8Array, subject: string): ReadonlyMap<string, string> {
  const facts = new Map<string, string>();
  for (const text of Buffer.from(answer).toString("utf8").split("\n")) {
    if (text === "") continue;
    const [, key, value] = line.exec(text) ?? [];
    if (key === undefined || value === undefined || facts.has(key)) throw malformedLine(subject, text);
    facts.set(key, toUnescaped(value, subject));
  }
  return facts;
}

function toUnescaped(value: string, subject: string): string {
  return value.replaceAll(/\\(.?)/gs, (_, next: string) => {
    if (next === "n") return "\n";
    if (next === "\\") return "\\";
    throw malformedLine(subject, value);
  });
}

function malformedLine(subject: string, text: string) {
  return sandboxError("sandbox.answer-malformed", {
    subject,
    expected: "key=value lines, each key once",
    got: JSON.stringify(text.slice(0, 120)),
  });
}
