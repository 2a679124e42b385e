import { Buffer } from "node:buffer";
import { readdir, readFile } from "node:fs/promises";
import type { SandboxExecutor } from "../../../src/sandbox/executor.ts";

/** Pids of this process's living children of these names: what a driver may have left on the controller's side. */
export async function ownChildren(names: readonly string[] = ["docker", "ssh"]): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^[0-9]+$/.test(name));
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, "latin1").catch(() => "")));
  return stats.flatMap((stat, index) => {
    const [, name = "", rest = ""] = /^[0-9]+ \((.*)\) (.*)$/s.exec(stat) ?? [];
    const [state, parent] = rest.split(" ");
    return state !== "Z" && Number(parent) === process.pid && names.includes(name)
      ? [Number(pids[index])]
      : [];
  });
}

/** Command lines in the sandbox of processes that carry a variable's value in their environment, asked through the sandbox itself. */
export async function processesWith(sandbox: SandboxExecutor, marker: string): Promise<string[]> {
  const pattern = `[${marker[0]}]${marker.slice(1)}`;
  const script = `for f in $(grep -ls '${pattern}' /proc/[0-9]*/environ 2>/dev/null);do d=\${f%/environ};tr '\\0' ' ' <$d/cmdline&&echo;done;:`;
  const result = await sandbox.execute({ command: "sh", args: ["-c", script], timeoutMs: 10_000 });
  return Buffer.from(result.stdout)
    .toString("utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");
}
