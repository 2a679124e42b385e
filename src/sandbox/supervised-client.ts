import { isSealpackError } from "../errors.ts";
import { CallEnds, parseCallReport, withoutMarks } from "./call-report.ts";
import { toEndCallScript } from "./end-call.ts";
import { sandboxError } from "./errors.ts";
import { defaultOutputBytes, type ExecutionResult, type SandboxCommand } from "./executor.ts";
import { createNonce } from "./nonce.ts";
import { toRemoteCommand } from "./remote-command.ts";
import { type ClientResult, runClient } from "./run-client.ts";
import { toSupervisedScript } from "./supervisor.ts";
import { noiseBytes, toExecutionResult } from "./to-execution-result.ts";

/** How one transport's client program is called for one line. */
export interface ClientCall {
  readonly file: string;
  readonly args: readonly string[];
}

export interface SupervisedClient {
  readonly name: string;
  readonly maxCommandBytes: number;
  readonly env: Readonly<Record<string, string>>;
  toCall(line: string, options: { readonly stdin: boolean; readonly clean: boolean }): ClientCall;
}

/** Beyond the command's own limit: the watchdog's second between TERM and KILL, its rounding, and the report's way back. */
const graceMs = 3500;
const endCallMs = 4000;

/** Runs one command through a client program; the sandbox's watchdog keeps the time, the client's clock only stands behind it. */
export async function runSupervised(
  client: SupervisedClient,
  command: SandboxCommand,
): Promise<ExecutionResult> {
  assertNotAborted(client, command.signal);
  const nonce = createNonce();
  const ends = new CallEnds(nonce);
  const script = toSupervisedScript(command, { nonce });
  const line = toRemoteCommand(script, nonce, client.maxCommandBytes);
  const call = client.toCall(line, { stdin: command.stdin !== undefined, clean: command.clean === true });
  const result = await runOrExplain(client, call, {
    ...(command.stdin === undefined ? {} : { stdin: command.stdin }),
    ...(command.signal === undefined ? {} : { signal: command.signal }),
    maxOutputBytes: (command.maxOutputBytes ?? defaultOutputBytes) + noiseBytes,
    killAfterMs: command.timeoutMs + graceMs,
    isOver: (stream, window) => ends.look(stream, window),
  }).catch(async (error: unknown) => {
    if (!isSealpackError(error)) await endCall(client, nonce);
    throw error;
  });
  if (result.killed === "abort") await endCall(client, nonce);
  return toResult(client, command, result, nonce, ends);
}

function assertNotAborted(client: SupervisedClient, signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return;
  throw aborted(client, signal);
}

function aborted(client: SupervisedClient, signal: AbortSignal | undefined) {
  return sandboxError("sandbox.aborted", {
    subject: client.name,
    expected: "the command's end",
    got: "the caller's abort",
    cause: signal?.reason,
  });
}

type Limits = Omit<Parameters<typeof runClient>[0], "file" | "args" | "env">;

async function runOrExplain(
  client: SupervisedClient,
  call: ClientCall,
  limits: Limits,
): Promise<ClientResult> {
  try {
    return await runClient({ ...call, env: client.env, ...limits });
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" || !syscall?.startsWith("spawn")) throw error;
    throw sandboxError("sandbox.no-client", {
      subject: client.name,
      expected: `${call.file} on PATH`,
      got: "none",
      cause: error,
    });
  }
}

/** Killing the client leaves the command running in the sandbox (measured); best effort, the watchdog stands behind it. */
async function endCall(client: SupervisedClient, nonce: string): Promise<void> {
  const line = toRemoteCommand(toEndCallScript(nonce), createNonce(), client.maxCommandBytes);
  const call = client.toCall(line, { stdin: false, clean: true });
  await runClient({ ...call, env: client.env, maxOutputBytes: 4096, killAfterMs: endCallMs }).catch(
    () => undefined,
  );
}

function toResult(
  client: SupervisedClient,
  command: SandboxCommand,
  result: ClientResult,
  nonce: string,
  ends: CallEnds,
): ExecutionResult {
  if (result.killed === "abort") throw aborted(client, command.signal);
  const { stdout, stderr } = result;
  const limit = command.maxOutputBytes ?? defaultOutputBytes;
  // Without its mark on stdout, the end that stderr reports is one of which some output was lost.
  const report = parseCallReport(stderr.bytes(), nonce, ends.stderr);
  const whole = ends.stdout === undefined ? { ...report, end: undefined } : report;
  return toExecutionResult({
    name: client.name,
    nonce,
    report: whole,
    stdout: { bytes: withoutMarks(stdout.bytes(), nonce), cut: stdout.truncated },
    stderr: { bytes: report.bytes, cut: stderr.truncated },
    limit,
    timedOut: result.killed === "time",
    transport: `${client.name.split(":")[0]} client ended with ${result.signal ?? result.exitCode}`,
  });
}
