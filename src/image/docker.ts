import { execFile, spawn } from "node:child_process";
import { imageError } from "./errors.ts";

/** The docker command, as the machine has it configured (DOCKER_HOST, contexts, credentials). */
export interface Docker {
  /** Runs a short command and returns its stdout. @throws image.docker-failed */
  run(args: readonly string[]): Promise<string>;
  /** The same, with a failure as a value: its stderr. */
  attempt(
    args: readonly string[],
  ): Promise<{ readonly ok: boolean; readonly stdout: string; readonly stderr: string }>;
  /** Runs a long command; all that it prints goes to `onOutput`. @throws image.docker-failed */
  follow(args: readonly string[], onOutput: (text: string) => void): Promise<void>;
}

export interface DockerOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly signal: AbortSignal;
}

const maximumOutput = 16 * 1024 * 1024;
const shortMs = 15 * 60_000;

export function createDocker({ env, cwd, signal }: DockerOptions): Docker {
  // Messages are read to tell a missing tag from a missing network.
  const options = { env: { ...env, LC_ALL: "C" }, cwd, signal };
  const attempt: Docker["attempt"] = (args) =>
    new Promise((resolve, reject) => {
      execFile(
        "docker",
        [...args],
        { ...options, maxBuffer: maximumOutput, timeout: shortMs },
        (error, stdout, stderr) => {
          if (signal.aborted) reject(signal.reason);
          else if ((error as NodeJS.ErrnoException | null)?.code === "ENOENT") reject(missing(error));
          else resolve({ ok: error === null, stdout, stderr: stderr || (error?.message ?? "") });
        },
      );
    });
  return {
    attempt,
    async run(args) {
      const { ok, stdout, stderr } = await attempt(args);
      if (!ok) throw failed(args, stderr);
      return stdout;
    },
    follow: (args, onOutput) =>
      new Promise((resolve, reject) => {
        const child = spawn("docker", [...args], { ...options, stdio: ["ignore", "pipe", "pipe"] });
        for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", onOutput);
        child.on("error", (error: NodeJS.ErrnoException) =>
          reject(error.code === "ENOENT" ? missing(error) : error),
        );
        child.on("close", (status) => (status === 0 ? resolve() : reject(failed(args, `status ${status}`))));
      }),
  };
}

function failed(args: readonly string[], stderr: string) {
  const lines = stderr.trim().split("\n");
  const got = lines.slice(-3).join(" ").slice(0, 1000) || "an error";
  return imageError("image.docker-failed", {
    subject: `docker ${args.slice(0, 2).join(" ")}`,
    expected: "success",
    got,
  });
}

function missing(cause: unknown) {
  return imageError("image.docker-failed", {
    subject: "docker",
    expected: "the command on PATH",
    got: "none",
    cause,
  });
}
