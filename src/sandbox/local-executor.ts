import { toClientEnvironment } from "./client-environment.ts";
import { sandboxError } from "./errors.ts";
import {
  blankedVariables,
  defaultOutputBytes,
  type ExecutionResult,
  type LocalExecutor,
  type SandboxCommand,
} from "./executor.ts";
import { type ClientResult, runClient } from "./run-client.ts";

/**
 * Commands on this host, in a process group of their own, with a path, a home and a temporary directory and nothing else of the
 * host's environment. Its type is not a sandbox's: nothing that takes a remote run can be given it (A2).
 */
export function localExecutor(environment: NodeJS.ProcessEnv = process.env): LocalExecutor {
  const { PATH, HOME, TMPDIR } = toClientEnvironment(environment);
  const base = Object.fromEntries(
    Object.entries({ PATH, HOME, TMPDIR }).filter(([, value]) => value !== undefined),
  );
  return {
    place: "local",
    name: "local",
    capabilities: {
      stdin: "stream",
      splitStderr: true,
      signal: true,
      upload: false,
      binaryOutput: true,
      blanking: true,
      maxCommandBytes: 128 * 1024,
    },
    execute: (command) => run(base as Record<string, string>, command),
  };
}

async function run(base: Record<string, string>, command: SandboxCommand): Promise<ExecutionResult> {
  const env = { ...base, ...command.env };
  if (command.clean === true) for (const name of blankedVariables) delete env[name];
  const { stdin, signal, cwd } = command;
  try {
    const result = await runClient({
      file: command.command,
      args: command.args ?? [],
      env,
      ...(cwd === undefined ? {} : { cwd }),
      ...(stdin === undefined ? {} : { stdin }),
      ...(signal === undefined ? {} : { signal }),
      maxOutputBytes: command.maxOutputBytes ?? defaultOutputBytes,
      killAfterMs: command.timeoutMs,
    });
    return toResult(result, signal);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException)?.code !== "ENOENT") throw cause;
    throw sandboxError("sandbox.no-client", {
      subject: "local",
      expected: `${command.command} and its working directory`,
      got: "none",
      cause,
    });
  }
}

function toResult(result: ClientResult, signal: AbortSignal | undefined): ExecutionResult {
  if (result.killed === "abort") {
    throw sandboxError("sandbox.aborted", {
      subject: "local",
      expected: "the command's end",
      got: "the caller's abort",
      cause: signal?.reason,
    });
  }
  return {
    exitCode: result.exitCode,
    signal: result.signal,
    stdout: result.stdout.bytes(),
    stderr: result.stderr.bytes(),
    stdoutTruncated: result.stdout.truncated,
    stderrTruncated: result.stderr.truncated,
    timedOut: result.killed === "time",
  };
}
