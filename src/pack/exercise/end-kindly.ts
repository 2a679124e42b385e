import { setTimeout as sleep } from "node:timers/promises";
import { type Belonging, type RunningProcess, readProcesses } from "./processes.ts";

/** Milliseconds that processes get to end alone, and then between SIGTERM and SIGKILL. */
export interface Patience {
  readonly alone: number;
  readonly asked: number;
}

/** Without a network, codex takes 4.5 s after SIGTERM (measured). */
export const defaultPatience: Patience = { alone: 1_000, asked: 15_000 };

const afterKill = 20_000;

/** Waits for all to end on their own, asks those that stay with SIGTERM, then kills and names those that still stay. */
export async function endKindly(
  belonging: Belonging,
  patience: Patience,
  signal?: AbortSignal,
): Promise<RunningProcess[]> {
  if (await areGone(belonging, patience.alone, signal)) return [];
  sendAll(belonging, "SIGTERM");
  if (await areGone(belonging, patience.asked, signal)) return [];
  const left = readProcesses(belonging);
  sendAll(belonging, "SIGKILL");
  await areGone(belonging, afterKill, signal);
  return left;
}

async function areGone(belonging: Belonging, time: number, signal?: AbortSignal): Promise<boolean> {
  for (const start = performance.now(); performance.now() - start < time; ) {
    signal?.throwIfAborted();
    if (readProcesses(belonging).length === 0) return true;
    await sleep(20);
  }
  return false;
}

export function sendAll(belonging: Belonging, name: "SIGTERM" | "SIGKILL"): void {
  for (const { pid } of readProcesses(belonging)) {
    try {
      process.kill(pid, name);
    } catch {
      // It ended between the look and the signal.
    }
  }
}
