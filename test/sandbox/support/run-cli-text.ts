import { runCli } from "../../../src/cli/run-cli.ts";

export interface CliOutcome {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command line in this process, with its output caught. */
export async function runCliText(...args: string[]): Promise<CliOutcome> {
  const out = { stdout: "", stderr: "" };
  const exit = await runCli(args, {
    stdout: (text) => {
      out.stdout += text;
    },
    stderr: (text) => {
      out.stderr += text;
    },
    env: process.env,
    cwd: process.cwd(),
    home: "/nonexistent",
    isTerminal: false,
    signal: new AbortController().signal,
  });
  return { exit, ...out };
}
