import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { planRetirement, type Wards } from "./plan-retirement.ts";
import { type ProcessRow, readProcessTable } from "./process-table.ts";

/** How often the descendants of a living owner are remembered, in milliseconds. */
const watchInterval = 1000;
const killRounds = 200;

/** What the owner says on the guardian's standard input, one JSON document a line. */
export type GuardianLine =
  | { readonly watch: number }
  | { readonly drop: number }
  | { readonly remove: string };

/**
 * The guardian's own program: outlives its owner, whatever ends it, by as long as it takes to end everything that the
 * owner started. The owner's death is the end of standard input, which the kernel brings about for SIGKILL too.
 * `args` are the mark and the owner's pid.
 */
export async function runGuardian(args: readonly string[]): Promise<void> {
  const [mark = "", owner = ""] = args;
  if (!/^[A-Z_0-9]{16,}$/.test(mark) || !/^[1-9]\d*$/.test(owner))
    throw new TypeError("guardian: bad arguments");
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
  const spared = new Set([process.pid, Number(owner)]);
  const state = {
    groups: new Set<number>(),
    known: new Map<number, string>(),
    spared,
    removals: new Set<string>(),
  };
  const timer = setInterval(() => remember(mark, state), watchInterval);
  await readLines(state);
  clearInterval(timer);
  await retireAll(mark, state);
  for (const path of state.removals) rmSync(path, { recursive: true, force: true });
}

function readLines(state: { groups: Set<number>; removals: Set<string> }): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let pending = "";
  process.stdin.setEncoding("utf8");
  process.stdin.on("data", (chunk: string) => {
    const lines = (pending + chunk).split("\n");
    pending = lines.pop() ?? "";
    for (const line of lines) accept(JSON.parse(line) as GuardianLine, state);
  });
  process.stdin.on("error", () => resolve());
  process.stdin.on("close", () => resolve());
  process.stdin.on("end", () => resolve());
  process.stdout.on("error", () => {});
  process.stdout.write("ready\n");
  return promise;
}

function accept(line: GuardianLine, state: { groups: Set<number>; removals: Set<string> }): void {
  if ("watch" in line) state.groups.add(line.watch);
  else if ("drop" in line) state.groups.delete(line.drop);
  else state.removals.add(line.remove);
}

function remember(mark: string, wards: Wards & { readonly known: Map<number, string> }): void {
  const plan = planRetirement(readProcessTable(mark), wards);
  wards.known.clear();
  for (const { pid, start } of plan) wards.known.set(pid, start);
}

/** Ends all wards with SIGKILL, again and again until a look finds none: a process can fork while the table is read. */
export async function retireAll(
  mark: string,
  wards: Wards & { readonly known: Map<number, string> },
): Promise<void> {
  for (let round = 0; round < killRounds; round += 1) {
    for (const group of wards.groups) kill(-group);
    const plan = planRetirement(readProcessTable(mark), wards);
    if (plan.length === 0) return;
    for (const row of plan) {
      wards.known.set(row.pid, row.start);
      kill(row.pid);
    }
    await sleep(round < 10 ? 5 : 50);
  }
}

function kill(pid: ProcessRow["pid"]): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Gone already, or not ours to end.
  }
}
