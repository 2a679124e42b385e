import { toBlankedEnvironment } from "./blanked-environment.ts";
import { sandboxError } from "./errors.ts";
import { maxCommandBytes, type SandboxCapabilities, type SandboxExecutor } from "./executor.ts";
import { type HandedOutput, type HandingTransport, runHandedOver } from "./handed-over.ts";

/** What is used of an E2B `Sandbox`. Its SDK runs every line by `bash -l -c`: outside sealpack's control (design 8). */
export interface E2bLike {
  readonly sandboxId: string;
  readonly commands: {
    run(
      command: string,
      options?: { envs?: Record<string, string>; timeoutMs?: number; requestTimeoutMs?: number },
    ): Promise<{ exitCode: number; stdout: string; stderr: string }>;
  };
  readonly files: { write(path: string, data: ArrayBuffer): Promise<unknown> };
}

export const e2bCapabilities: SandboxCapabilities = {
  stdin: "none",
  splitStderr: true,
  signal: false,
  upload: true,
  binaryOutput: false,
  blanking: true,
  maxCommandBytes,
};

export function e2bSandbox(sandbox: E2bLike): SandboxExecutor {
  const transport: HandingTransport = {
    name: `e2b:${sandbox.sandboxId}`,
    capabilities: e2bCapabilities,
    send: async (line, { limitMs, clean }) => {
      const envs = toBlankedEnvironment(clean);
      return toOutput(
        await runOrFail(sandbox, line, { envs, timeoutMs: limitMs, requestTimeoutMs: limitMs + 5000 }),
      );
    },
  };
  return {
    place: "sandbox",
    name: transport.name,
    capabilities: transport.capabilities,
    execute: (command) => runHandedOver(transport, command),
    upload: async (path, bytes) => {
      try {
        await sandbox.files.write(path, new Uint8Array(bytes).buffer);
      } catch (cause) {
        throw sandboxError("sandbox.upload-failed", {
          subject: path,
          expected: "a written file",
          got: String(cause),
          cause,
        });
      }
    },
  };
}

/** The SDK throws `CommandExitError`, which has a result's shape, for every exit code but 0. */
async function runOrFail(sandbox: E2bLike, line: string, options: Parameters<E2bLike["commands"]["run"]>[1]) {
  try {
    return await sandbox.commands.run(line, options);
  } catch (error) {
    if (error instanceof Error && "exitCode" in error && "stdout" in error && "stderr" in error) return error;
    throw error;
  }
}

function toOutput(result: { exitCode?: unknown; stdout?: unknown; stderr?: unknown }): HandedOutput {
  const { exitCode, stdout, stderr } = result;
  if (typeof exitCode === "number" && typeof stdout === "string" && typeof stderr === "string") {
    return { exitCode, stdout, stderr, timedOut: false };
  }
  throw sandboxError("sandbox.bad-reply", {
    subject: "commands.run",
    expected: "{ exitCode: number, stdout: string, stderr: string }",
    got: `{ exitCode: ${typeof exitCode}, stdout: ${typeof stdout}, stderr: ${typeof stderr} }`,
  });
}
