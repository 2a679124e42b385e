import type { Target } from "../../definition/target.ts";

export interface Machine {
  readonly platform: string;
  readonly architecture: string;
  readonly libc: "glibc" | "musl" | "none";
}

export function readMachine(): Machine {
  const header = (process.report.getReport() as { header?: { glibcVersionRuntime?: unknown } }).header;
  const glibc = typeof header?.glibcVersionRuntime === "string";
  const libc = process.platform !== "linux" ? "none" : glibc ? "glibc" : "musl";
  return { platform: process.platform, architecture: process.arch, libc };
}

/** Whether a target's executables run on a machine as they are: no emulation, no foreign libc. */
export function canRunHere(target: Target, machine: Machine = readMachine()): boolean {
  const same = target.platform === machine.platform && target.architecture === machine.architecture;
  return same && target.libc === machine.libc;
}
