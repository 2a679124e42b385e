import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Enclosure } from "./enclosure.ts";
import { enclosureScript } from "./enclosure-script.ts";
import { exerciseError } from "./errors.ts";
import { findTool } from "./find-tool.ts";
import { isNetworkCut } from "./network-cut.ts";
import { type Belonging, type RunningProcess, readPidNamespace, readProcesses } from "./processes.ts";
import { openReports, type Reports } from "./reports.ts";
import { keepTail, toLastLines } from "./tail.ts";

/** A command that runs in an enclosure. Always `finish` it. */
export interface Enclosed {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Its working directory, as it sees it. */
  readonly folder: string;
  readonly stderr: () => string;
  /** Status as sh tells it: above 128 is 128 and the signal's number. */
  readonly exited: Promise<number>;
  /** Ends whatever is left, first kindly. */
  finish(): Promise<Aftermath>;
}

export interface Aftermath {
  /** Outlived the command, its stdin and SIGTERM. */
  readonly left: readonly RunningProcess[];
  /** Package managers that were called, with their arguments. */
  readonly called: readonly string[];
}

export interface EncloseOptions {
  readonly enclosure: Enclosure;
  /** The tree on this machine. */
  readonly root: string;
  /** Paths below the root are given as `{pack}/…`. */
  readonly argv: readonly string[];
  /** `bare`: not one variable. `home`: an isolated home, and PATH with the traps first. */
  readonly environment: "bare" | "home";
  readonly allowNetwork: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that a process gets between SIGTERM and SIGKILL; default 15 s. */
  readonly grace?: number;
}

const setUpTime = 20_000;
/** After SIGTERM, in milliseconds. Without a network, codex takes 4.5 s to end (measured). */
const defaultGrace = 15_000;

/**
 * Starts a command in an enclosure, once its first process has shown that there is no network.
 * @throws exercise.cannot-enclose, exercise.network-not-cut
 */
export async function startEnclosed(options: EncloseOptions): Promise<Enclosed> {
  const place = makePlace(options);
  const child = spawnScript(options, place);
  const end = (): void => {
    endTree(child, options.enclosure);
    place.remove();
  };
  const stderr = keepTail(child.stderr as Readable, 16_384);
  const reports = openReports(child);
  const abort = (): void => end();
  options.signal?.addEventListener("abort", abort, { once: true });
  try {
    await admit(options, child, reports, stderr);
  } catch (error) {
    options.signal?.removeEventListener("abort", abort);
    end();
    throw error;
  }
  const finish = async (): Promise<Aftermath> => {
    try {
      (child.stdin as Writable).end();
      const left = await endKindly(toBelonging(options.enclosure, child, place.home), options);
      return { left, called: await askCalled(child, reports) };
    } finally {
      options.signal?.removeEventListener("abort", abort);
      end();
    }
  };
  return {
    stdin: child.stdin as Writable,
    stdout: child.stdout as Readable,
    folder: join(place.home, "work"),
    stderr,
    exited: reports.exited,
    finish,
  };
}

interface Place {
  readonly stage: string;
  readonly nonce: string;
  readonly home: string;
  readonly pack: string;
  remove(): void;
}

function makePlace({ enclosure, root }: EncloseOptions): Place {
  const nonce = `exercise-${randomBytes(8).toString("hex")}`;
  if (enclosure.kind !== "direct") {
    const stage = enclosure.stage;
    return { stage, nonce, home: join(stage, nonce), pack: join(stage, "pack"), remove: () => {} };
  }
  const stage = mkdtempSync(join(enclosure.stage, "sealpack-exercise-"));
  chmodSync(stage, 0o755);
  const remove = (): void => rmSync(stage, { recursive: true, force: true });
  return { stage, nonce, home: join(stage, nonce), pack: root, remove };
}

function spawnScript(options: EncloseOptions, place: Place): ChildProcess {
  const { enclosure } = options;
  const tool = (name: string): string => findTool(name) ?? name;
  const variables = options.environment === "bare" ? [] : toHomeVariables(place);
  const command = options.argv.map((word) => word.replace(/^\{pack\}(?=\/)/, () => place.pack));
  const argv = [...enclosure.drop, tool("env"), "-i", ...variables, ...command];
  const words = [...enclosure.prefix, "/bin/sh", "-c", enclosureScript, "sealpack-exercise", ...argv];
  return spawn(words[0] as string, words.slice(1), {
    cwd: "/",
    // A session of its own: a key pressed at the terminal must not reach half of it.
    detached: true,
    stdio: ["pipe", "pipe", "pipe", "pipe", "pipe"],
    env: {
      MOUNT: enclosure.kind === "direct" ? "" : tool("mount"),
      MKDIR: tool("mkdir"),
      CHMOD: tool("chmod"),
      CHOWN: tool("chown"),
      IP: findTool("ip") ?? "",
      STAGE: place.stage,
      ROOT: options.root,
      NONCE: place.nonce,
      OWNER: enclosure.owner,
    },
  });
}

function toHomeVariables({ stage, home, pack }: Place): string[] {
  const path = [join(stage, "trap"), join(pack, "node_modules/.bin"), "/usr/bin", "/bin"].join(":");
  const xdg = ["cache", "config", "data", "state"].map(
    (name) => `XDG_${name.toUpperCase()}_HOME=${join(home, name)}`,
  );
  return [
    `PATH=${path}`,
    `HOME=${join(home, "home")}`,
    `TMPDIR=${join(home, "tmp")}`,
    `XDG_RUNTIME_DIR=${join(home, "run")}`,
    ...xdg,
  ];
}

/** Fails closed: a script that says nothing in time, or whose tables show a network, never starts the command. */
async function admit(
  { enclosure, allowNetwork }: EncloseOptions,
  child: ChildProcess,
  reports: Reports,
  stderr: () => string,
): Promise<void> {
  const tables = await reports.ready(setUpTime);
  if ("failed" in tables) {
    const got = `${tables.failed} (${toLastLines(stderr())})`;
    throw exerciseError("exercise.cannot-enclose", {
      subject: enclosure.kind,
      expected: "an isolated place",
      got,
    });
  }
  const allowed = enclosure.kind === "direct" && allowNetwork;
  if (!allowed && !isNetworkCut(tables)) {
    const names = [...tables.dev.matchAll(/^\s*([^\s:]+):/gm)].map((match) => match[1]);
    const got = names.length === 0 ? "no answer" : names.join(", ");
    throw exerciseError("exercise.network-not-cut", {
      subject: "network interfaces",
      expected: "only lo",
      got,
    });
  }
  (child.stdio[4] as Writable).write("go\n");
}

function toBelonging(enclosure: Enclosure, child: ChildProcess, home: string): Belonging {
  const pid = child.pid ?? -1;
  if (enclosure.kind !== "namespaces") return { by: "mark", mark: home, session: pid };
  const namespace = readPidNamespace(pid, "pid_for_children");
  // Everything in it will be sent signals: it must be known, and not be our own.
  if (namespace === "" || namespace === readPidNamespace(process.pid, "pid")) {
    const facts = { subject: "PID namespace", expected: "one of its own", got: namespace || "no answer" };
    throw exerciseError("exercise.cannot-enclose", facts);
  }
  return { by: "namespace", namespace, parentOfFirst: pid };
}

/** Waits for all to end on their own, asks those that stay with SIGTERM, then kills and names those that still stay. */
async function endKindly(
  belonging: Belonging,
  { grace = defaultGrace, signal }: EncloseOptions,
): Promise<RunningProcess[]> {
  if (await areGone(belonging, 1_000, signal)) return [];
  sendAll(belonging, "SIGTERM");
  if (await areGone(belonging, grace, signal)) return [];
  const left = readProcesses(belonging);
  sendAll(belonging, "SIGKILL");
  await areGone(belonging, grace, signal);
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

function sendAll(belonging: Belonging, name: "SIGTERM" | "SIGKILL"): void {
  for (const { pid } of readProcesses(belonging)) {
    try {
      process.kill(pid, name);
    } catch {
      // It ended between the look and the signal.
    }
  }
}

async function askCalled(child: ChildProcess, reports: Reports): Promise<readonly string[]> {
  (child.stdio[4] as Writable).end("done\n");
  return reports.called(setUpTime);
}

/** SIGKILL to the first process: in a PID namespace the kernel ends the others with it. */
function endTree(child: ChildProcess, enclosure: Enclosure): void {
  if (child.pid === undefined) return;
  for (const stream of child.stdio) stream?.destroy();
  try {
    process.kill(enclosure.kind === "namespaces" ? child.pid : -child.pid, "SIGKILL");
  } catch {
    // Already gone.
  }
}
