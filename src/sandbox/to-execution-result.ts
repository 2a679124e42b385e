import { Buffer } from "node:buffer";
import type { CallReport } from "./call-report.ts";
import { sandboxError } from "./errors.ts";
import type { ExecutionResult } from "./executor.ts";
import { toCallName } from "./remote-command.ts";
import { showTail } from "./show-tail.ts";

export interface ReportedCall {
  readonly name: string;
  readonly nonce: string;
  readonly report: CallReport;
  /** The command's bytes of each stream, and whether more came than these. */
  readonly stdout: Stream;
  readonly stderr: Stream;
  /** Bytes of each stream that the caller wants. */
  readonly limit: number;
  /** Whether the client's own clock ended it. */
  readonly timedOut: boolean;
  /** How the transport itself ended, for messages. */
  readonly transport: string;
}

export interface Stream {
  readonly bytes: Uint8Array;
  readonly cut: boolean;
}

/** Kept beyond the caller's limit, for a login shell's banner and the marks. */
export const noiseBytes = 16 * 1024;

/**
 * One call's outcome from what its supervisor reported: never from the transport's own exit code, which for docker and ssh is
 * ambiguous with the command's.
 * @throws SealpackError `sandbox.no-decoder`, `sandbox.not-reached`, `sandbox.bad-cwd`, `sandbox.ended-early`
 */
export function toExecutionResult(call: ReportedCall): ExecutionResult {
  const { report } = call;
  if (!report.began && !call.timedOut) throw notBegun(call);
  if (report.end?.kind === "bad-cwd") {
    throw sandboxError("sandbox.bad-cwd", {
      subject: call.name,
      expected: "a working directory that can be entered",
      got: "cd failed",
    });
  }
  if (report.end === undefined && !call.timedOut) throw endedEarly(call);
  return {
    exitCode: report.end?.exitCode ?? null,
    signal: null,
    stdout: call.stdout.bytes.subarray(0, call.limit),
    stderr: call.stderr.bytes.subarray(0, call.limit),
    stdoutTruncated: call.stdout.cut || call.stdout.bytes.length > call.limit,
    stderrTruncated: call.stderr.cut || call.stderr.bytes.length > call.limit,
    timedOut: call.timedOut || report.end?.timedOut === true,
  };
}

function notBegun(call: ReportedCall) {
  const noise = Buffer.from(call.report.bytes);
  if (noise.includes(`${toCallName(call.nonce)} no-decoder`)) {
    return sandboxError("sandbox.no-decoder", {
      subject: call.name,
      expected: "a tool that decodes base64",
      got: "none in /usr/bin or /bin",
    });
  }
  return sandboxError("sandbox.not-reached", {
    subject: call.name,
    expected: "a command that begins",
    got: `${call.transport}: ${showTail(noise)}`,
  });
}

function endedEarly(call: ReportedCall) {
  return sandboxError("sandbox.ended-early", {
    subject: call.name,
    expected: "the command's end to be reported",
    got: call.transport,
    details: { stderr: showTail(call.report.bytes) },
  });
}
