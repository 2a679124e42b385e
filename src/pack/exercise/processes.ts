import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/**
 * How to know what an enclosure started: everything in its PID namespace, or what carries its home or session. Who gives
 * a namespace keeps it open meanwhile, and who gives a session keeps its leader: the kernel uses both numbers again.
 */
export type Belonging =
  | { readonly by: "namespace"; readonly namespace: string; readonly parentOfFirst: number }
  | { readonly by: "mark"; readonly mark: string; readonly session: number | undefined };

export interface RunningProcess {
  readonly pid: number;
  readonly name: string;
}

/** What still runs of an enclosure, its own first process apart. A process that ends meanwhile is not listed. */
export function readProcesses(belonging: Belonging): RunningProcess[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    const stat = readStat(pid);
    if (stat === undefined || stat.state === "Z" || stat.state === "X") return [];
    return belongs(belonging, Number(pid), stat) ? [{ pid: Number(pid), name: stat.name }] : [];
  });
}

function belongs(belonging: Belonging, pid: number, stat: Stat): boolean {
  if (belonging.by === "namespace") {
    return stat.parent !== belonging.parentOfFirst && readPidNamespace(pid, "pid") === belonging.namespace;
  }
  if (pid === belonging.session) return false;
  return stat.session === belonging.session || readEnvironment(pid).includes(belonging.mark);
}

interface Stat {
  readonly name: string;
  readonly state: string;
  readonly parent: number;
  readonly session: number;
}

/** `pid (name) state ppid pgrp session …`; the name may hold anything, so the last parenthesis counts. */
function readStat(pid: string): Stat | undefined {
  const text = attempt(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  if (text === undefined) return undefined;
  const end = text.lastIndexOf(")");
  const [state = "", parent, , session] = text.slice(end + 2).split(" ");
  const name = text.slice(text.indexOf("(") + 1, end);
  return { name, state, parent: Number(parent), session: Number(session) };
}

/** `pid:[4026531836]`, or "" for a process that is gone or not ours to see. */
export function readPidNamespace(pid: number, kind: "pid" | "pid_for_children"): string {
  return attempt(() => readlinkSync(`/proc/${pid}/ns/${kind}`)) ?? "";
}

function readEnvironment(pid: number): string {
  return attempt(() => readFileSync(`/proc/${pid}/environ`, "latin1")) ?? "";
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
