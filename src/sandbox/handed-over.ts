import { Buffer } from "node:buffer";
import { isSealpackError } from "../errors.ts";
import { parseCallReport, withoutMarks } from "./call-report.ts";
import { sandboxError } from "./errors.ts";
import {
  defaultOutputBytes,
  type ExecutionResult,
  type SandboxCapabilities,
  type SandboxCommand,
} from "./executor.ts";
import { createNonce } from "./nonce.ts";
import { toCallName, toRemoteCommand } from "./remote-command.ts";
import { toSupervisedScript } from "./supervisor.ts";
import { toExecutionResult } from "./to-execution-result.ts";

/** A transport whose SDK hands the whole output over when the command is done. */
export interface HandingTransport {
  readonly name: string;
  readonly capabilities: SandboxCapabilities;
  /** Runs one line. It may take `limitMs`; that it rejects means that the line's fate is not known. */
  send(line: string, options: SendOptions): Promise<HandedOutput>;
}

export interface SendOptions {
  readonly limitMs: number;
  readonly stdin: string | undefined;
  readonly clean: boolean;
}

export interface HandedOutput {
  readonly exitCode: number | null;
  readonly stdout: string;
  /** Empty where the transport merges it into `stdout`. */
  readonly stderr: string;
  readonly timedOut: boolean;
}

/** For the watchdog's second between TERM and KILL, its rounding, and the way back. */
const graceMs = 6000;

/**
 * Runs one command over such a transport. The sandbox bounds the output, since the SDK would hold all of it; the client's own clock
 * and the caller's abort only stop waiting: the watchdog in the sandbox ends the command.
 */
export async function runHandedOver(
  transport: HandingTransport,
  command: SandboxCommand,
): Promise<ExecutionResult> {
  const nonce = createNonce();
  const limit = command.maxOutputBytes ?? defaultOutputBytes;
  const stdin = toTextInput(transport, command.stdin);
  const script = toSupervisedScript(command, { nonce, bound: limit + 1 + toCallName(nonce).length });
  const line = toRemoteCommand(script, nonce, transport.capabilities.maxCommandBytes);
  const options = { limitMs: command.timeoutMs + graceMs, stdin, clean: command.clean === true };
  const output = await settle(transport, command, () => transport.send(line, options));
  return toResult(transport, output, nonce, limit);
}

function toResult(
  transport: HandingTransport,
  output: HandedOutput,
  nonce: string,
  limit: number,
): ExecutionResult {
  const split = transport.capabilities.splitStderr;
  const out = Buffer.from(output.stdout, "utf8");
  const marked = split ? Buffer.from(output.stderr, "utf8") : out;
  const report = parseCallReport(marked, nonce);
  const result = toExecutionResult({
    name: transport.name,
    nonce,
    report,
    stdout: { bytes: split ? withoutMarks(out, nonce) : report.bytes, cut: false },
    stderr: { bytes: split ? report.bytes : Buffer.alloc(0), cut: false },
    // Merged, each stream was bounded on its own: what is longer than one bound is kept, and called truncated to be safe.
    limit: split ? limit : 2 * limit,
    timedOut: output.timedOut,
    transport: `the provider's call ended with ${output.exitCode}`,
  });
  return split ? result : { ...result, stdoutTruncated: report.bytes.length > limit };
}

function toTextInput(transport: HandingTransport, stdin: SandboxCommand["stdin"]): string | undefined {
  if (stdin === undefined) return undefined;
  const kind = transport.capabilities.stdin;
  if (kind === "none" || !(stdin instanceof Uint8Array)) {
    throw sandboxError("sandbox.unsupported", {
      subject: transport.name,
      expected: kind === "none" ? "a command without stdin" : "stdin as whole text",
      got: stdin instanceof Uint8Array ? `${stdin.length} bytes of stdin` : "a stream",
    });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(stdin);
  } catch (cause) {
    throw sandboxError("sandbox.stdin-not-text", {
      subject: transport.name,
      expected: "valid UTF-8 on stdin",
      got: "other bytes",
      cause,
    });
  }
}

/** Waits for the SDK no longer than the command may take, and not past the caller's abort. */
async function settle(
  transport: HandingTransport,
  command: SandboxCommand,
  send: () => Promise<HandedOutput>,
): Promise<HandedOutput> {
  const { signal } = command;
  if (signal?.aborted) throw aborted(transport, signal);
  const stop = new AbortController();
  const started = performance.now();
  try {
    const clock = expire(command.timeoutMs + graceMs + 1000, stop.signal);
    return await Promise.race([
      send(),
      clock,
      ...(signal === undefined ? [] : [whenAborted(transport, signal, stop.signal)]),
    ]);
  } catch (error) {
    if (isSealpackError(error)) throw error;
    // An SDK that gives up after the command's time was up tells no more than that.
    if (performance.now() - started >= command.timeoutMs) return timeUp;
    throw sandboxError("sandbox.not-reached", {
      subject: transport.name,
      expected: "the provider's call to answer",
      got: error instanceof Error ? `${error.name}: ${error.message.slice(0, 300)}` : typeof error,
      cause: error,
    });
  } finally {
    stop.abort();
  }
}

const timeUp: HandedOutput = { exitCode: null, stdout: "", stderr: "", timedOut: true };

function expire(milliseconds: number, done: AbortSignal): Promise<HandedOutput> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(timeUp), milliseconds);
    done.addEventListener("abort", () => clearTimeout(timer), { once: true });
  });
}

function whenAborted(transport: HandingTransport, signal: AbortSignal, done: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(aborted(transport, signal));
    signal.addEventListener("abort", abort, { once: true });
    done.addEventListener("abort", () => signal.removeEventListener("abort", abort), { once: true });
  });
}

function aborted(transport: HandingTransport, signal: AbortSignal) {
  return sandboxError("sandbox.aborted", {
    subject: transport.name,
    expected: "the command's end",
    got: "the caller's abort",
    cause: signal.reason,
  });
}
