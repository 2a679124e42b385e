import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";

const pollMs = 20;

export interface Command {
  readonly argv: readonly [string, ...string[]];
  readonly cwd?: string;
}

/** One run of one or several processes at once. */
export interface Run {
  readonly seconds: number;
  /** Highest resident size of the processes together, in bytes, seen by polling the kernel's own high-water marks. */
  readonly peakBytes: number;
}

/** Starts the commands together and waits for all. @throws Error where one fails: its time would mean nothing. */
export async function measure(commands: readonly Command[]): Promise<Run> {
  const started = performance.now();
  const children = commands.map(({ argv: [file, ...args], cwd }) =>
    spawn(file, args, { cwd, stdio: ["ignore", "ignore", "pipe"] }),
  );
  const peaks = new Map<number, number>();
  const poll = () => {
    for (const child of children) notePeak(child, peaks);
  };
  const timer = setInterval(poll, pollMs);
  try {
    await Promise.all(
      children.map((child, index) => waitFor(child, commands[index]?.argv.slice(0, 4).join(" ") ?? "")),
    );
  } finally {
    clearInterval(timer);
  }
  const peakBytes = [...peaks.values()].reduce((sum, bytes) => sum + bytes, 0);
  return { seconds: (performance.now() - started) / 1000, peakBytes };
}

function notePeak(child: ChildProcess, peaks: Map<number, number>): void {
  if (child.pid === undefined) return;
  try {
    const match = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"));
    if (match !== null) peaks.set(child.pid, Number(match[1]) * 1024);
  } catch {
    // The process has just ended; its last mark stands.
  }
}

async function waitFor(child: ChildProcess, name: string): Promise<void> {
  let stderr = "";
  child.stderr?.on("data", (chunk) => {
    stderr = `${stderr}${chunk}`.slice(-2000);
  });
  const code = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
  if (code !== 0) throw new Error(`${name}: exit ${code}\n${stderr}`);
}
