import { readdirSync, readFileSync } from "node:fs";

/** One running process, as /proc tells. Zombies are left out: nothing of them runs. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Clock ticks since boot: with the pid, it names one process for good. */
  readonly start: string;
  readonly marked: boolean;
}

/**
 * Every process that this user can see. `mark` is the name of an environment variable; what was started with it, and
 * whatever that started in turn, is marked. Without /proc (not Linux) the table is empty and only groups are known.
 */
export function readProcessTable(mark: string): readonly ProcessRow[] {
  const pids = attempt(() => readdirSync("/proc")) ?? [];
  return pids.filter((name) => /^\d+$/.test(name)).flatMap((pid) => readRow(pid, mark));
}

function readRow(pid: string, mark: string): readonly ProcessRow[] {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  if (stat === undefined) return [];
  // `pid (name) state ppid pgrp session …`; the name may hold anything, so the last parenthesis counts.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state = "Z", parent, group, session] = fields;
  if (state === "Z" || state === "X") return [];
  // Unreadable for a process that forbids being looked into (codex does): its relatives give it away.
  const environment = attempt(() => readFileSync(`/proc/${pid}/environ`, "latin1")) ?? "";
  const marked = `\0${environment}`.includes(`\0${mark}=`);
  const numbers = { parent: Number(parent), group: Number(group), session: Number(session) };
  return [{ pid: Number(pid), ...numbers, start: fields[19] ?? "", marked }];
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
