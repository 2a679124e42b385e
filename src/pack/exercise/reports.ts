import type { ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";
import { exerciseError } from "./errors.ts";
import type { NetworkTables } from "./network-cut.ts";

/** What an enclosure's script says on fd 3. */
export interface Reports {
  readonly exited: Promise<number>;
  /** The network as seen from inside, or why the place could not be made. */
  ready(time: number): Promise<NetworkTables | { readonly failed: string }>;
  called(time: number): Promise<readonly string[]>;
}

/** Enough for the tables of a machine with thousands of routes; a trap's lines come from what is exercised. */
const limit = 4 * 1024 * 1024;

export function openReports(child: ChildProcess): Reports {
  const lines = new Map<string, string[]>();
  const exited = Promise.withResolvers<number>();
  const ready = Promise.withResolvers<string>();
  const ended = Promise.withResolvers<void>();
  exited.promise.catch(() => {});
  const accept = (line: string): void => {
    const [word = "", rest = ""] = line.split(/ (.*)/s);
    lines.set(word, [...(lines.get(word) ?? []), rest]);
    if (word === "failed") ready.resolve(rest);
    if (word === "ready") ready.resolve("");
    if (word === "exit") exited.resolve(Number(rest));
    if (word === "end") ended.resolve();
  };
  const close = (reason: string): void => {
    ready.resolve(reason);
    exited.reject(toLost(reason));
    ended.resolve();
  };
  readLines(child.stdio[3] as Readable, accept);
  child.once("error", (error) => close(error.message));
  // Only the script and what started it hold this end: it closes after the last line, when they are gone.
  child.stdio[3]?.once("close", () => close("its first process ended"));
  const text = (word: string): string => (lines.get(word) ?? []).join("\n");
  return {
    exited: exited.promise,
    ready: async (time) => {
      const failed = await within(ready.promise, time, () => "its first process did not answer in time");
      if (failed !== "") return { failed };
      return { dev: text("dev"), route: text("route"), ipv6Route: text("ipv6_route") };
    },
    called: async (time) => {
      await within(ended.promise, time, () => undefined);
      return lines.get("called") ?? [];
    },
  };
}

function toLost(reason: string): Error {
  return exerciseError("exercise.enclosure-lost", {
    subject: "the enclosure",
    expected: "the command's exit status",
    got: reason,
  });
}

function readLines(stream: Readable, accept: (line: string) => void): void {
  let pending = "";
  let total = 0;
  stream.setEncoding("utf8");
  stream.on("error", () => {});
  stream.on("data", (chunk: string) => {
    total += chunk.length;
    if (total > limit) return;
    const parts = (pending + chunk).split("\n");
    pending = parts.pop() ?? "";
    parts.forEach(accept);
  });
}

/** The promise's value, or `late()` after `time` milliseconds. Leaves no timer behind. */
export async function within<T>(promise: Promise<T>, time: number, late: () => T): Promise<T> {
  const { promise: clock, resolve } = Promise.withResolvers<T>();
  const timer = setTimeout(() => resolve(late()), time);
  try {
    return await Promise.race([promise, clock]);
  } finally {
    clearTimeout(timer);
  }
}
