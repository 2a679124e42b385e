import { sandboxError } from "./errors.ts";

/** @throws SealpackError `sandbox.aborted` */
export function assertNotAborted(name: string, signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw toAborted(name, signal);
}

/** The error of a call that its caller gave up. */
export function toAborted(name: string, signal: AbortSignal | undefined) {
  return sandboxError("sandbox.aborted", {
    subject: name,
    expected: "the command's end",
    got: "the caller's abort",
    cause: signal?.reason,
  });
}
