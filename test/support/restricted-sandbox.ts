import type { SandboxCapabilities, SandboxExecutor } from "../../src/sandbox/executor.ts";

/**
 * A real sandbox through a driver that can do less, or uploads: what Daytona, E2B and the runner object allow. What it cannot carry, it
 * refuses, so that a transport that is chosen wrongly fails.
 */
export function restricted(sandbox: SandboxExecutor, kind: "upload" | "text" | "chunks"): SandboxExecutor {
  const stdin = kind === "text" ? "text" : "none";
  const capabilities: SandboxCapabilities = { ...sandbox.capabilities, stdin, upload: kind === "upload" };
  return {
    place: "sandbox",
    name: sandbox.name,
    capabilities,
    execute: async (command) => {
      const { stdin: input } = command;
      if (input !== undefined && (stdin === "none" || !(input instanceof Uint8Array))) {
        throw new Error(`this driver carries no such stdin: ${stdin}`);
      }
      if (input instanceof Uint8Array) new TextDecoder("utf-8", { fatal: true }).decode(input);
      return await sandbox.execute(command);
    },
    ...(kind === "upload" ? { upload: (path, bytes) => write(sandbox, path, bytes) } : {}),
  };
}

async function write(sandbox: SandboxExecutor, path: string, bytes: Uint8Array): Promise<void> {
  const args = ["-c", 'umask 077;exec cat >"$1"', "sh", path];
  const result = await sandbox.execute({ command: "/bin/sh", args, stdin: bytes, timeoutMs: 60_000 });
  if (result.exitCode !== 0) throw new Error(Buffer.from(result.stderr).toString());
}

/** A sandbox each of whose calls takes that much longer, as one far away does. */
export function distant(sandbox: SandboxExecutor, milliseconds: number): SandboxExecutor {
  return {
    ...sandbox,
    execute: async (command) => {
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
      return await sandbox.execute(command);
    },
  };
}
