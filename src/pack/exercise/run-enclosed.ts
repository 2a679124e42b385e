import { constants } from "node:os";
import type { Readable } from "node:stream";
import { type Aftermath, type EncloseOptions, startEnclosed } from "./enclosed.ts";
import { exerciseError } from "./errors.ts";
import { within } from "./reports.ts";
import { toLastLines } from "./tail.ts";

const versionTime = 60_000;
const versionOutput = 1024 * 1024;

/**
 * Runs a command with an empty stdin and gives what it printed on stdout; `name` is for messages.
 * @throws exercise.timeout, exercise.killed, exercise.exit-status, exercise.too-much-output, exercise.no-version,
 * exercise.process-left, exercise.package-manager-called
 */
export async function runEnclosed(
  name: string,
  options: EncloseOptions,
  time = versionTime,
): Promise<string> {
  const enclosed = await startEnclosed(options);
  let status: number | "late" | "flood" = "late";
  const output = collect(enclosed.stdout, versionOutput);
  let aftermath: Aftermath;
  try {
    enclosed.stdin.end();
    status = await within<number | "late" | "flood">(
      Promise.race([enclosed.exited, output.flood]),
      time,
      () => "late",
    );
  } finally {
    aftermath = await enclosed.finish();
  }
  assertStatus(name, status, enclosed.stderr(), time);
  assertAftermath(name, aftermath);
  const text = output.text();
  if (text.trim() !== "") return text;
  const got = `exit 0 without output (${toLastLines(enclosed.stderr())})`;
  throw exerciseError("exercise.no-version", { subject: name, expected: "a version on stdout", got });
}

function assertStatus(name: string, status: number | "late" | "flood", stderr: string, time: number): void {
  const facts = { subject: name, expected: "exit 0" };
  if (status === "flood") {
    throw exerciseError("exercise.too-much-output", { ...facts, expected: "one line", got: "over 1 MiB" });
  }
  if (status === "late") {
    throw exerciseError("exercise.timeout", { ...facts, got: `nothing within ${time / 1000} s` });
  }
  const signal = Object.entries(constants.signals).find(([, number]) => number === status - 128)?.[0];
  if (signal !== undefined) {
    throw exerciseError("exercise.killed", { ...facts, got: `${signal} (${toLastLines(stderr)})` });
  }
  if (status !== 0) {
    throw exerciseError("exercise.exit-status", { ...facts, got: `exit ${status} (${toLastLines(stderr)})` });
  }
}

/** @throws exercise.package-manager-called, exercise.process-left */
export function assertAftermath(name: string, { left, called }: Aftermath): void {
  if (called.length > 0) {
    const got = called.slice(0, 5).join("; ");
    const facts = { subject: name, expected: "no call of a package manager", got };
    throw exerciseError("exercise.package-manager-called", facts);
  }
  if (left.length > 0) {
    const got = left.map((process) => process.name).join(", ");
    throw exerciseError("exercise.process-left", { subject: name, expected: "no process left", got });
  }
}

/** stdout may stay open in a process that was left behind: what counts is what came until the command ended. */
function collect(stream: Readable, limit: number): { text(): string; flood: Promise<"flood"> } {
  const chunks: Buffer[] = [];
  let size = 0;
  const flood = Promise.withResolvers<"flood">();
  stream.on("error", () => {});
  stream.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size <= limit) return void chunks.push(chunk);
    // Who floods us waits from here on, rather than we for it.
    stream.pause();
    flood.resolve("flood");
  });
  return { text: () => Buffer.concat(chunks).toString("utf8"), flood: flood.promise };
}
