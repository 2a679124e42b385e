import { execFile } from "node:child_process";

const timeoutMs = 60_000;
const maxOutputBytes = 64 * 1024 * 1024;

/** Set for every call: a foreign repository's own settings must not run programs as us, nor write its index. */
const safeguards = [
  "-c",
  "safe.directory=*",
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "core.quotePath=false",
]; // prettier-ignore

export interface GitResult {
  readonly ok: boolean;
  readonly stdout: string;
}

/** Runs git in `directory`, whatever GIT_* variables the caller has. Not ok where git is missing or refuses. */
export async function readGit(directory: string, args: readonly string[]): Promise<GitResult> {
  return await new Promise((resolve) => {
    execFile(
      "git",
      [...safeguards, "-C", directory, ...args],
      { timeout: timeoutMs, maxBuffer: maxOutputBytes, env: toGitEnvironment(process.env) },
      (error, stdout) => resolve({ ok: error === null, stdout }),
    );
  });
}

export function toGitEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith("GIT_"));
  return { ...Object.fromEntries(kept), GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" };
}
