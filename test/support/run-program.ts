import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";

export interface Program {
  readonly child: ChildProcessWithoutNullStreams;
  /** The next line of stdout. */
  line(): Promise<string>;
  readonly stderr: () => string;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

/** Starts a program of this checkout from its source, and ends it when the test does. */
export function runProgram(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Program {
  const child = spawn(process.execPath, [script, ...args], { env: { PATH: process.env.PATH ?? "", ...env } });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: string[] = [];
  const waiting: ((line: string) => void)[] = [];
  let pending = "";
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
  });
  child.stdin.on("error", () => {});
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const parts = (pending + chunk).split("\n");
    pending = parts.pop() ?? "";
    for (const part of parts) {
      const next = waiting.shift();
      if (next === undefined) lines.push(part);
      else next(part);
    }
  });
  const exited = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.on("close", (code, signal) => resolve({ code, signal }));
  });
  const line = (): Promise<string> => {
    const next = lines.shift();
    if (next !== undefined) return Promise.resolve(next);
    const coming = new Promise<string>((resolve) => waiting.push(resolve));
    const ended = exited.then(({ code }) => {
      throw new Error(`exit ${code} before the line: ${stderr}`);
    });
    return Promise.race([coming, ended]);
  };
  return { child, line, stderr: () => stderr, exited };
}

/** Pids of running processes whose command line holds the text: a token of the test's own. */
export function findProcesses(text: string): readonly number[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
    try {
      const line = readFileSync(`/proc/${name}/cmdline`, "latin1");
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      return line.includes(text) && !/\) [ZX] /.test(stat) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

/** Waits until a condition holds; fails after ten seconds with the last value. */
export async function until<T>(look: () => T, holds: (value: T) => boolean): Promise<T> {
  const end = performance.now() + 10_000;
  for (;;) {
    const value = look();
    if (holds(value)) return value;
    if (performance.now() > end) throw new Error(`still ${JSON.stringify(value)} after 10 s`);
    await sleep(10);
  }
}
