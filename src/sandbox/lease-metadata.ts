import { sandboxError } from "./errors.ts";
import { preferredShell, type SandboxShell } from "./preferred-shell.ts";

/** A provider's lease metadata as it was validated at the entrance (S7). */
export interface LeaseMetadata {
  readonly shell: SandboxShell;
  /** Everything else that the provider sent, untouched. */
  readonly rest: Readonly<Record<string, unknown>>;
}

/** What a controller keeps: the metadata with the shell always named. */
export type InternalConfig = Readonly<Record<string, unknown>> & { readonly shellCommand: SandboxShell };

/**
 * Where metadata enters. Leases from before the field existed behave as sh; `toInternalConfig`'s result passes again, unchanged.
 * @throws SealpackError `sandbox.bad-lease`, `sandbox.bad-shell`
 */
export function parseLeaseMetadata(value: unknown): LeaseMetadata {
  if (value === undefined || value === null) return { shell: "sh", rest: {} };
  if (typeof value !== "object" || Array.isArray(value)) {
    throw sandboxError("sandbox.bad-lease", {
      subject: "lease metadata",
      expected: "an object",
      got: Array.isArray(value) ? "an array" : typeof value,
    });
  }
  const { shellCommand, ...rest } = value as Record<string, unknown>;
  return { shell: preferredShell(shellCommand), rest };
}

export function toInternalConfig(lease: LeaseMetadata): InternalConfig {
  return { ...lease.rest, shellCommand: lease.shell };
}

/** Where metadata leaves: how sealpack talks to a sandbox is nobody else's business. */
export function toExternalMetadata(config: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { shellCommand: _, ...rest } = config;
  return rest;
}
