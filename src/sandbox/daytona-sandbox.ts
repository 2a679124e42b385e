import { Buffer } from "node:buffer";
import { toBlankedEnvironment } from "./blanked-environment.ts";
import { sandboxError } from "./errors.ts";
import { maxCommandBytes, type SandboxCapabilities, type SandboxExecutor } from "./executor.ts";
import { type HandedOutput, type HandingTransport, runHandedOver } from "./handed-over.ts";

/** What is used of a Daytona `Sandbox`: no stdin, no signal, stderr merged; the time limit in seconds. */
export interface DaytonaLike {
  readonly id: string;
  readonly process: {
    executeCommand(
      command: string,
      cwd?: string,
      env?: Record<string, string>,
      timeout?: number,
    ): Promise<{ exitCode: number; result: string }>;
  };
  readonly fs: { uploadFile(file: Buffer, remotePath: string): Promise<void> };
}

export const daytonaCapabilities: SandboxCapabilities = {
  stdin: "none",
  splitStderr: false,
  signal: false,
  upload: true,
  binaryOutput: false,
  blanking: true,
  maxCommandBytes,
};

export function daytonaSandbox(sandbox: DaytonaLike): SandboxExecutor {
  const transport: HandingTransport = {
    name: `daytona:${sandbox.id}`,
    capabilities: daytonaCapabilities,
    send: async (line, { limitMs, clean }) => {
      const seconds = Math.ceil(limitMs / 1000);
      const env = toBlankedEnvironment(clean);
      return toOutput(await sandbox.process.executeCommand(line, undefined, env, seconds));
    },
  };
  return {
    place: "sandbox",
    name: transport.name,
    capabilities: transport.capabilities,
    execute: (command) => runHandedOver(transport, command),
    upload: async (path, bytes) => {
      try {
        await sandbox.fs.uploadFile(Buffer.from(bytes), path);
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

function toOutput(response: { exitCode: unknown; result: unknown }): HandedOutput {
  const { exitCode, result } = response;
  if (typeof result !== "string" || (exitCode !== undefined && typeof exitCode !== "number")) {
    throw sandboxError("sandbox.bad-reply", {
      subject: "executeCommand",
      expected: "{ exitCode: number, result: string }",
      got: `{ exitCode: ${typeof exitCode}, result: ${typeof result} }`,
    });
  }
  return { exitCode: exitCode ?? null, stdout: result, stderr: "", timedOut: false };
}
