import { Buffer } from "node:buffer";
import { type ChildProcess, spawn } from "node:child_process";
import { copyFile, writeFile } from "node:fs/promises";
import type { DaytonaLike } from "../../../src/sandbox/daytona-sandbox.ts";
import type { E2bLike } from "../../../src/sandbox/e2b-sandbox.ts";
import type { RunnerLike } from "../../../src/sandbox/runner-sandbox.ts";

/** The environment of the fakes' sandbox: nothing of ours but a path, and a home of its own. */
export interface FakeHost {
  readonly home: string;
  readonly path: string;
}

/** Set in the sandbox's own environment, so that blanking it can be seen. */
const steering = { ENV: "/nonexistent", NODE_OPTIONS: "--require=/nonexistent" };

interface Outcome {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
}

/** This machine as a provider's sandbox, with the shape and the limits of Daytona's SDK: one string, stderr merged, seconds. */
export function fakeDaytona(host: FakeHost): DaytonaLike {
  return {
    id: "fake",
    process: {
      executeCommand: async (command, cwd, env, timeout) => {
        const call = {
          file: "sh",
          args: ["-c", `exec 2>&1\n${command}`],
          cwd,
          env,
          limitMs: (timeout ?? 360) * 1000,
        };
        const { exitCode, stdout } = await run(host, call);
        return { exitCode: exitCode ?? -1, result: stdout, artifacts: { stdout } };
      },
    },
    fs: { uploadFile: (file, path) => writeFile(path, file) },
  };
}

class CommandExitError extends Error {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;

  constructor(outcome: Outcome) {
    super(`exit status ${outcome.exitCode}`);
    this.exitCode = outcome.exitCode ?? -1;
    this.stdout = outcome.stdout;
    this.stderr = outcome.stderr;
  }
}

/** As E2B's SDK: `bash -l -c`, a thrown error for every exit code but 0. */
export function fakeE2b(host: FakeHost): E2bLike {
  return {
    sandboxId: "fake",
    commands: {
      run: async (command, options = {}) => {
        const { envs, timeoutMs = 60_000 } = options;
        const call = { file: "/bin/bash", args: ["-l", "-c", command], env: envs, limitMs: timeoutMs };
        const outcome = await run(host, call);
        if (outcome.timedOut) throw new Error("deadline exceeded");
        if (outcome.exitCode !== 0) throw new CommandExitError(outcome);
        return { exitCode: 0, stdout: outcome.stdout, stderr: outcome.stderr };
      },
    },
    files: { write: (path, data) => writeFile(path, Buffer.from(data)) },
  };
}

/** As the runner object of released controllers. */
export function fakeRunner(host: FakeHost): RunnerLike {
  return {
    execute: ({ command, args = [], env, stdin, timeoutMs = 60_000 }) =>
      run(host, { file: command, args, env, stdin, limitMs: timeoutMs }),
    syncIn: async (operations) => {
      for (const { files } of operations)
        for (const file of files) await copyFile(file.sourcePath, file.targetPath);
      return { operations: [] };
    },
  };
}

interface Call {
  readonly file: string;
  readonly args: string[];
  readonly cwd?: string | undefined;
  readonly env?: Record<string, string> | undefined;
  readonly stdin?: string | undefined;
  readonly limitMs: number;
}

/** Whole output as text, as an RPC hands it over. */
function run(host: FakeHost, call: Call): Promise<Outcome> {
  const child = spawn(call.file, call.args, {
    cwd: call.cwd ?? host.home,
    env: { PATH: host.path, HOME: host.home, ...steering, ...call.env },
    detached: true,
    stdio: [call.stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  child.stdin?.on("error", () => {});
  child.stdin?.end(call.stdin);
  return settle(child, call.limitMs);
}

function settle(child: ChildProcess, limitMs: number): Promise<Outcome> {
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  child.stdout?.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => stderr.push(chunk));
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    child.kill("SIGKILL");
  }, limitMs);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode) => {
      clearTimeout(timer);
      resolve({ exitCode, stdout: toText(stdout), stderr: toText(stderr), timedOut });
    });
  });
}

function toText(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString("utf8");
}
