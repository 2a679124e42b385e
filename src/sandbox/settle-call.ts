import { isSealpackError } from "../errors.ts";
import { toAborted } from "./call-abort.ts";
import { sandboxError } from "./errors.ts";
import type { SandboxCommand } from "./executor.ts";
import type { HandedOutput, HandingTransport } from "./handing-transport.ts";

/** Beyond a command's limit: for the watchdog's second between TERM and KILL, its rounding, and the way back. */
export const handOverMs = 6000;

/** Waits for the SDK no longer than the command may take, and not past the caller's abort. */
export async function settleCall(
  transport: HandingTransport,
  command: SandboxCommand,
  send: () => Promise<HandedOutput>,
): Promise<HandedOutput> {
  const { signal } = command;
  const stop = new AbortController();
  const started = performance.now();
  try {
    const clock = expire(command.timeoutMs + handOverMs + 1000, stop.signal);
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

export function expire(milliseconds: number, done: AbortSignal): Promise<HandedOutput> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(timeUp), milliseconds);
    done.addEventListener("abort", () => clearTimeout(timer), { once: true });
  });
}

function whenAborted(transport: HandingTransport, signal: AbortSignal, done: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(toAborted(transport.name, signal));
    signal.addEventListener("abort", abort, { once: true });
    done.addEventListener("abort", () => signal.removeEventListener("abort", abort), { once: true });
  });
}
