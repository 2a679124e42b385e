import { Buffer } from "node:buffer";
import { isSealpackError } from "../errors.ts";
import { assertCommand } from "./assert-command.ts";
import { assertCommandName } from "./command-name.ts";
import type { ExecutionResult, SandboxExecutor } from "./executor.ts";
import { toInstallScript } from "./install-script.ts";
import { parseAnswerLines, parseMarkedAnswer } from "./marked-answer.ts";
import { createNonce } from "./nonce.ts";
import type { SandboxShell } from "./preferred-shell.ts";
import { runShell } from "./run-shell.ts";

export interface EnsureOptions {
  readonly sandbox: SandboxExecutor;
  /** A plain command name: `codex`. */
  readonly command: string;
  /** The owner's script that provides it; absent: nothing is installed. */
  readonly install?: string;
  readonly shell?: SandboxShell;
  /** Milliseconds for the install, and for waiting for somebody else's; default 10 minutes. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** How a command came to be there, or not. Only the launch-time probe, `assertCommand`, is fatal (S5). */
export interface EnsureResult {
  readonly state: EnsureState;
  readonly present: boolean;
  /** Of the install, where one was run. */
  readonly exitCode: number | null;
  /** What the install printed, the first 64 KiB. */
  readonly log: string;
}

const reported = [
  "present",
  "installed",
  "install-failed",
  "other-failed",
  "lock-busy",
  "lock-unavailable",
] as const;
/** `absent`: missing, and no install is configured. `unknown`: the install's end was not reported. */
export type EnsureState = (typeof reported)[number] | "absent" | "unknown";

const running = new WeakMap<SandboxExecutor, Map<string, Promise<EnsureResult>>>();
const logBytes = 64 * 1024;

/**
 * Probe; present, skip; absent, install once among all callers of this process and, by a lock directory in the sandbox, among
 * processes. An install that fails is the result's to tell, not an error.
 * @throws SealpackError where the sandbox cannot be reached, or the question cannot be asked
 */
export function ensureCommand(options: EnsureOptions): Promise<EnsureResult> {
  const { sandbox, command } = options;
  const calls = running.get(sandbox) ?? new Map<string, Promise<EnsureResult>>();
  running.set(sandbox, calls);
  const key = JSON.stringify([command, options.install, options.shell]);
  const current = calls.get(key);
  if (current !== undefined) return current;
  const call = ensure(options).finally(() => calls.delete(key));
  calls.set(key, call);
  return call;
}

async function ensure(options: EnsureOptions): Promise<EnsureResult> {
  assertCommandName(options.command);
  return options.install === undefined ? probeOnly(options) : install(options, options.install);
}

async function probeOnly(options: EnsureOptions): Promise<EnsureResult> {
  const { sandbox, command } = options;
  try {
    await assertCommand(sandbox, command, toCommandOptions(options));
    return { state: "present", present: true, exitCode: null, log: "" };
  } catch (error) {
    if (!isSealpackError(error) || error.code !== "sandbox.command-missing") throw error;
    return { state: "absent", present: false, exitCode: null, log: "" };
  }
}

async function install(options: EnsureOptions, script: string): Promise<EnsureResult> {
  const { sandbox, command, timeoutMs = 600_000, shell = "sh" } = options;
  const nonce = createNonce();
  const waitSeconds = Math.ceil(timeoutMs / 1000);
  const text = toInstallScript({ shell, command, install: script, waitSeconds }, nonce);
  const result = await runShell(sandbox, shell, text, {
    timeoutMs: timeoutMs + 2000,
    maxOutputBytes: logBytes,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  return toResult(sandbox, result, nonce);
}

function toResult(sandbox: SandboxExecutor, result: ExecutionResult, nonce: string): EnsureResult {
  const log = Buffer.from(sandbox.capabilities.splitStderr ? result.stderr : result.stdout).toString("utf8");
  if (result.timedOut) return { state: "unknown", present: false, exitCode: null, log };
  const lines = parseAnswerLines(parseMarkedAnswer(result.stdout, nonce, sandbox.name), sandbox.name);
  const state = reported.find((candidate) => candidate === lines.get("state")) ?? "unknown";
  const code = lines.get("exit") ?? "";
  const ran = state === "installed" || state === "install-failed";
  return {
    state,
    present: lines.get("present") === "yes",
    exitCode: ran && /^[0-9]{1,3}$/.test(code) ? Number(code) : null,
    log,
  };
}

function toCommandOptions({ shell, signal }: EnsureOptions) {
  return { ...(shell === undefined ? {} : { shell }), ...(signal === undefined ? {} : { signal }) };
}
