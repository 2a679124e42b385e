import { execFile } from "node:child_process";

const timeoutMs = 60_000;
const maxOutputBytes = 64 * 1024 * 1024;

/**
 * Set for every call: whoever made the repository wrote its configuration, and none of it may run programs as us, write
 * its index, or show other objects than the ones that HEAD names. Content filters have no such switch, so no call may
 * be one that reads a working file's content (`status`, `diff`, `add`).
 */
const safeguards = [
  ...["-c", "safe.directory=*"],
  ...["-c", "core.fsmonitor=false"],
  ...["-c", "core.hooksPath=/dev/null"],
  ...["-c", "core.quotePath=false"],
  "--no-replace-objects",
  "--literal-pathspecs",
];

/** `absent`: there is no git program on this machine. `failed`: there is one and it did not answer. */
export type GitResult =
  | { readonly state: "ok"; readonly stdout: string }
  | { readonly state: "absent" }
  | { readonly state: "failed"; readonly stderr: string };

/** Runs git in `directory`, whatever GIT_* variables the caller has. */
export async function readGit(directory: string, args: readonly string[]): Promise<GitResult> {
  return await new Promise((resolve) => {
    execFile(
      "git",
      [...safeguards, "-C", directory, ...args],
      { timeout: timeoutMs, maxBuffer: maxOutputBytes, env: toGitEnvironment(process.env) },
      (error, stdout, stderr) => {
        if (error === null) resolve({ state: "ok", stdout });
        else if (error.code === "ENOENT") resolve({ state: "absent" });
        else resolve({ state: "failed", stderr: stderr || error.message });
      },
    );
  });
}

/** No transport is allowed: in a partial clone git would fetch a missing object through the program of its remote. */
export function toGitEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith("GIT_"));
  return {
    ...Object.fromEntries(kept),
    GIT_ALLOW_PROTOCOL: "none",
    GIT_NO_LAZY_FETCH: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    LC_ALL: "C",
  };
}
