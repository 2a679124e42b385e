import { setTimeout as delay } from "node:timers/promises";
import { sandboxError } from "./errors.ts";
import type { SandboxExecutor } from "./executor.ts";
import { createNonce } from "./nonce.ts";
import { preferredShell, type SandboxShell } from "./preferred-shell.ts";
import { runShell } from "./run-shell.ts";
import {
  serviceGone,
  toEndServiceScript,
  toLogTailScript,
  toReadyScript,
  toStartScript,
} from "./service-scripts.ts";
import { showTail } from "./show-tail.ts";

export interface ServiceOptions {
  readonly sandbox: SandboxExecutor;
  /** As the lease declares it (S7). */
  readonly shellCommand?: string | null;
  /** A script; it runs until it is stopped. */
  readonly command: string;
  /** A script that succeeds once the service answers. */
  readonly ready: string;
  /** A script that asks the service to stop; its processes are ended after it in any case. */
  readonly stop?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Milliseconds until it must be ready; default 30 s. */
  readonly readyMs?: number;
  readonly pollMs?: number;
  readonly signal?: AbortSignal;
}

export interface SandboxService {
  /** Ends every process of the service, once. @throws `sandbox.service-not-stopped` */
  stop(): Promise<void>;
}

const startMs = 15_000;
const probeMs = 10_000;
const graceSeconds = 5;

/**
 * Starts a long-running program in a sandbox and waits until it is ready; start, readiness and stop go through the same shell.
 * A process that takes its environment off and leaves is out of reach.
 * @throws SealpackError `sandbox.service-not-started`, `sandbox.service-not-ready` (nothing is left behind)
 */
export async function startService(options: ServiceOptions): Promise<SandboxService> {
  const shell = preferredShell(options.shellCommand);
  const nonce = createNonce();
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= endService(options, shell, nonce);
    return stopping;
  };
  try {
    await start(options, shell, nonce);
    await awaitReady(options, shell, nonce);
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
  return { stop };
}

async function start(options: ServiceOptions, shell: SandboxShell, nonce: string): Promise<void> {
  const { sandbox } = options;
  const script = toStartScript(shell, options.command, nonce);
  const result = await runShell(sandbox, shell, script, {
    timeoutMs: startMs,
    ...toPlace(options),
    ...toSignal(options),
  });
  if (result.exitCode === 0 && !result.timedOut) return;
  throw sandboxError("sandbox.service-not-started", {
    subject: sandbox.name,
    expected: "the service to be started",
    got: `exit code ${result.exitCode}: ${showTail(result.stderr)}`,
  });
}

async function awaitReady(options: ServiceOptions, shell: SandboxShell, nonce: string): Promise<void> {
  const { sandbox, readyMs = 30_000, pollMs = 250 } = options;
  const script = toReadyScript(shell, options.ready, nonce);
  const until = performance.now() + readyMs;
  let last = "never asked";
  while (performance.now() < until) {
    const left = Math.min(probeMs, Math.max(until - performance.now(), 1));
    const result = await runShell(sandbox, shell, script, {
      timeoutMs: left,
      ...toPlace(options),
      ...toSignal(options),
    });
    if (result.exitCode === 0 && !result.timedOut) return;
    last = `exit code ${result.exitCode}: ${showTail(result.stderr)}`;
    if (result.exitCode === serviceGone) break;
    await delay(pollMs, undefined, toSignal(options));
  }
  throw sandboxError("sandbox.service-not-ready", {
    subject: sandbox.name,
    expected: `a service that is ready within ${readyMs} ms`,
    got: last,
    details: { log: await readLog(options, shell, nonce) },
  });
}

async function readLog(options: ServiceOptions, shell: SandboxShell, nonce: string): Promise<string> {
  const result = await runShell(options.sandbox, shell, toLogTailScript(nonce), { timeoutMs: probeMs }).catch(
    () => undefined,
  );
  return result === undefined ? "" : showTail(result.stdout);
}

async function endService(options: ServiceOptions, shell: SandboxShell, nonce: string): Promise<void> {
  const { sandbox } = options;
  if (options.stop !== undefined) {
    await runShell(sandbox, shell, options.stop, { timeoutMs: probeMs, ...toPlace(options) }).catch(
      () => undefined,
    );
  }
  const script = toEndServiceScript(nonce, graceSeconds);
  const result = await runShell(sandbox, shell, script, { timeoutMs: (graceSeconds + 10) * 1000 });
  if (result.exitCode === 0) return;
  throw sandboxError("sandbox.service-not-stopped", {
    subject: sandbox.name,
    expected: "no process of the service",
    got: `exit code ${result.exitCode}: ${showTail(result.stderr)}`,
  });
}

function toPlace({ env, cwd }: ServiceOptions) {
  return { ...(env === undefined ? {} : { env }), ...(cwd === undefined ? {} : { cwd }) };
}

function toSignal({ signal }: ServiceOptions) {
  return signal === undefined ? {} : { signal };
}
