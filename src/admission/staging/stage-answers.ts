import { Buffer } from "node:buffer";
import { inflateRawSync } from "node:zlib";
import { sandboxError } from "../../sandbox/errors.ts";
import { parseAnswerLines } from "../../sandbox/marked-answer.ts";
import type { RemoteReport } from "../remote/remote-report.ts";
import { parseRemoteReport } from "../remote-answer.ts";

export type TaskAnswer =
  | { readonly kind: "compared"; readonly missing: string; readonly kept: number }
  | { readonly kind: "placed" | "theirs" }
  | { readonly kind: "unsound"; readonly report: RemoteReport }
  | { readonly kind: "failed"; readonly code: string; readonly message: string };

export interface TaskOutcome {
  /** Of the interpreter, hashed in the command that would run it; "" where it is gone. */
  readonly sha256: string;
  /** Undefined where it was not run, or gave none. */
  readonly answer: TaskAnswer | undefined;
  readonly exitCode: string;
}

/** @throws `sandbox.answer-malformed` */
export function parseTaskOutcome(answer: Uint8Array, subject: string): TaskOutcome {
  const lines = parseAnswerLines(answer, subject);
  const text = lines.get("answer") ?? "";
  return {
    sha256: lines.get("sha256") ?? "",
    exitCode: lines.get("code") ?? "",
    answer: text === "" ? undefined : parseTaskAnswer(text, subject),
  };
}

function parseTaskAnswer(text: string, subject: string): TaskAnswer {
  try {
    const value = JSON.parse(Buffer.from(text, "base64").toString("utf8")) as Record<string, unknown>;
    const { kind } = value;
    if (kind === "placed" || kind === "theirs") return { kind };
    if (kind === "compared" && typeof value.missing === "string" && Number.isSafeInteger(value.kept)) {
      return { kind, missing: value.missing, kept: value.kept as number };
    }
    if (kind === "failed" && typeof value.code === "string" && typeof value.message === "string") {
      return { kind, code: value.code, message: value.message };
    }
    if (kind === "unsound" && typeof value.report === "string") {
      const bytes = inflateRawSync(Buffer.from(value.report, "base64"), { maxOutputLength: 1024 * 1024 });
      return { kind, report: parseRemoteReport(JSON.parse(bytes.toString("utf8"))) };
    }
  } catch {
    // Told below: whatever it is, it is no answer.
  }
  throw sandboxError("sandbox.answer-malformed", {
    subject,
    expected: "an answer of the stager",
    got: "another",
  });
}
