import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toBlankedEnvironment } from "./blanked-environment.ts";
import { sandboxError } from "./errors.ts";
import { maxCommandBytes, type SandboxCapabilities, type SandboxExecutor } from "./executor.ts";
import { type HandedOutput, type HandingTransport, runHandedOver } from "./handed-over.ts";
import { createNonce } from "./nonce.ts";

/** What is used of the runner object of released controllers (`CommandManagedRuntimeRunner` of `@paperclipai/adapter-utils`). */
export interface RunnerLike {
  execute(input: {
    command: string;
    args?: string[];
    env?: Record<string, string>;
    stdin?: string;
    timeoutMs?: number;
    bypassSession?: boolean;
  }): Promise<{ exitCode: number | null; stdout: string; stderr: string; timedOut: boolean }>;
  syncIn?(operations: SyncOperation[]): Promise<unknown>;
}

export interface SyncOperation {
  operationId: string;
  files: { sourcePath: string; targetPath: string; kind: "file" | "directory"; mode?: number }[];
}

export const runnerCapabilities: SandboxCapabilities = {
  stdin: "text",
  splitStderr: true,
  signal: false,
  upload: false,
  binaryOutput: false,
  blanking: true,
  maxCommandBytes,
};

/** `bypassSession`: a probe must not wait behind the agent that holds the lease's session. */
export function runnerSandbox(runner: RunnerLike, name = "runner"): SandboxExecutor {
  const { syncIn } = runner;
  const transport: HandingTransport = {
    name,
    capabilities: { ...runnerCapabilities, upload: syncIn !== undefined },
    send: async (line, { limitMs, stdin, clean }) =>
      toOutput(
        await runner.execute({
          command: "sh",
          args: ["-c", line],
          env: toBlankedEnvironment(clean),
          ...(stdin === undefined ? {} : { stdin }),
          timeoutMs: limitMs,
          bypassSession: true,
        }),
      ),
  };
  return {
    place: "sandbox",
    name,
    capabilities: transport.capabilities,
    execute: (command) => runHandedOver(transport, command),
    ...(syncIn === undefined ? {} : { upload: (path, bytes) => upload(syncIn.bind(runner), path, bytes) }),
  };
}

/** The runner takes files of the controller's host: the bytes pass through one that lives as long as the call. */
async function upload(
  syncIn: NonNullable<RunnerLike["syncIn"]>,
  path: string,
  bytes: Uint8Array,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "sealpack-upload-"));
  try {
    const sourcePath = join(directory, "file");
    await writeFile(sourcePath, bytes, { mode: 0o600 });
    await syncIn([{ operationId: createNonce(), files: [{ sourcePath, targetPath: path, kind: "file" }] }]);
  } catch (cause) {
    throw sandboxError("sandbox.upload-failed", {
      subject: path,
      expected: "a written file",
      got: String(cause),
      cause,
    });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function toOutput(result: {
  exitCode: unknown;
  stdout: unknown;
  stderr: unknown;
  timedOut: unknown;
}): HandedOutput {
  const { exitCode, stdout, stderr, timedOut } = result;
  const coded = typeof exitCode === "number" || exitCode === null;
  if (coded && typeof stdout === "string" && typeof stderr === "string" && typeof timedOut === "boolean") {
    return { exitCode, stdout, stderr, timedOut };
  }
  throw sandboxError("sandbox.bad-reply", {
    subject: "execute",
    expected: "{ exitCode, stdout, stderr, timedOut }",
    got: `{ ${typeof exitCode}, ${typeof stdout}, ${typeof stderr}, ${typeof timedOut} }`,
  });
}
