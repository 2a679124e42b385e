import { Buffer } from "node:buffer";
import { sandboxError } from "./errors.ts";
import {
  type ExecutionResult,
  maxCommandBytes,
  type SandboxCapabilities,
  type SandboxCommand,
  type SandboxExecutor,
} from "./executor.ts";

/** One foreseen command: what it answers, or the failure it throws. */
export interface ScriptedStep {
  /** Default: any command. */
  readonly when?: (command: SandboxCommand) => boolean;
  readonly reply: (command: SandboxCommand) => ScriptedReply | Promise<ScriptedReply>;
}

export interface ScriptedReply {
  readonly exitCode?: number;
  readonly stdout?: string | Uint8Array;
  readonly stderr?: string | Uint8Array;
  readonly timedOut?: boolean;
}

export interface ScriptedSandbox extends SandboxExecutor {
  /** Every command that was run, in order. */
  readonly calls: readonly SandboxCommand[];
  /** Every file that was written, path to bytes. */
  readonly uploads: ReadonlyMap<string, Uint8Array>;
}

/**
 * A sandbox for tests of whoever uses one: each command takes the first remaining step that fits, and a command without a step
 * is an error, never a silent success.
 */
export function scriptedSandbox(
  steps: readonly ScriptedStep[],
  capabilities: Partial<SandboxCapabilities> = {},
): ScriptedSandbox {
  const remaining = [...steps];
  const calls: SandboxCommand[] = [];
  const uploads = new Map<string, Uint8Array>();
  const execute = async (command: SandboxCommand): Promise<ExecutionResult> => {
    calls.push(command);
    const index = remaining.findIndex((step) => step.when?.(command) ?? true);
    const [step] = index < 0 ? [] : remaining.splice(index, 1);
    if (step === undefined) throw exhausted(command, calls.length);
    return toResult(await step.reply(command));
  };
  const all: SandboxCapabilities = {
    stdin: "stream",
    splitStderr: true,
    signal: false,
    upload: false,
    binaryOutput: true,
    blanking: true,
    maxCommandBytes,
    ...capabilities,
  };
  const upload = async (path: string, bytes: Uint8Array) => void uploads.set(path, bytes);
  return {
    place: "sandbox",
    name: "scripted",
    capabilities: all,
    calls,
    uploads,
    execute,
    ...(all.upload ? { upload } : {}),
  };
}

function exhausted(command: SandboxCommand, call: number) {
  return sandboxError("sandbox.script-exhausted", {
    subject: `scripted sandbox, call ${call}`,
    expected: "a step for it",
    got: `${command.command} ${(command.args ?? []).join(" ").slice(0, 120)}`,
  });
}

function toResult(reply: ScriptedReply): ExecutionResult {
  const toBytes = (value: string | Uint8Array = "") =>
    typeof value === "string" ? Buffer.from(value) : value;
  return {
    exitCode: reply.exitCode ?? 0,
    signal: null,
    stdout: toBytes(reply.stdout),
    stderr: toBytes(reply.stderr),
    stdoutTruncated: false,
    stderrTruncated: false,
    timedOut: reply.timedOut ?? false,
  };
}
