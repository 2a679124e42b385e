import { Buffer } from "node:buffer";
import { assertNotAborted } from "./call-abort.ts";
import { parseCallReport, withoutMarks } from "./call-report.ts";
import { toEndCallScript } from "./end-call.ts";
import { sandboxError } from "./errors.ts";
import { defaultOutputBytes, type ExecutionResult, type SandboxCommand } from "./executor.ts";
import type { HandedOutput, HandingTransport } from "./handing-transport.ts";
import { createNonce } from "./nonce.ts";
import { toCallName, toRemoteCommand } from "./remote-command.ts";
import { expire, handOverMs, settleCall } from "./settle-call.ts";
import { toSupervisedScript } from "./supervisor.ts";
import { toExecutionResult } from "./to-execution-result.ts";

const endCallMs = 4000;

/**
 * Runs one command over such a transport. The sandbox bounds the output, since the SDK would hold all of it. An abort stops waiting and
 * ends the command by a second call; the client's own clock only stops waiting: the watchdog in the sandbox ends the command.
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
  const options = { limitMs: command.timeoutMs + handOverMs, stdin, clean: command.clean === true };
  assertNotAborted(transport.name, command.signal);
  const send = () => transport.send(line, options);
  const output = await settleCall(transport, command, send).catch(async (error: unknown) => {
    if (command.signal?.aborted) await endCall(transport, nonce);
    throw error;
  });
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

/** Best effort, and not waited for much longer than it takes: the watchdog stands behind it. */
async function endCall(transport: HandingTransport, nonce: string): Promise<void> {
  const line = toRemoteCommand(toEndCallScript(nonce), createNonce(), transport.capabilities.maxCommandBytes);
  const call = transport.send(line, { limitMs: endCallMs, stdin: undefined, clean: true });
  const stop = new AbortController();
  await Promise.race([call, expire(endCallMs, stop.signal)]).catch(() => undefined);
  stop.abort();
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
