import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import type { Enclosure } from "./enclosure.ts";
import { enclosureScript } from "./enclosure-script.ts";
import { defaultPatience, endKindly, type Patience, sendAll } from "./end-kindly.ts";
import { exerciseError } from "./errors.ts";
import { findTool } from "./find-tool.ts";
import { isNetworkCut } from "./network-cut.ts";
import { makePlace, type Place, toHomeVariables } from "./place.ts";
import { type Belonging, type RunningProcess, readPidNamespace } from "./processes.ts";
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
  readonly patience?: Patience;
}

const setUpTime = 20_000;

/**
 * Starts a command in an enclosure, once its first process has shown that there is no network.
 * @throws exercise.cannot-enclose, exercise.network-not-cut
 */
export async function startEnclosed(options: EncloseOptions): Promise<Enclosed> {
  const place = makePlace(options.enclosure, options.root);
  const child = spawnScript(options, place);
  const held: number[] = [];
  const end = (): void => {
    endTree(child, options.enclosure);
    place.remove();
    for (const descriptor of held.splice(0)) closeSync(descriptor);
  };
  const stderr = keepTail(child.stderr as Readable, 16_384);
  const reports = openReports(child);
  const abort = (): void => end();
  options.signal?.addEventListener("abort", abort, { once: true });
  let belonging: Belonging;
  try {
    await admit(options, child, reports, stderr);
    belonging = toBelonging(options.enclosure, child, place.home, held);
  } catch (error) {
    options.signal?.removeEventListener("abort", abort);
    end();
    options.signal?.throwIfAborted();
    throw error;
  }
  const finish = async (): Promise<Aftermath> => {
    try {
      (child.stdin as Writable).end();
      options.signal?.throwIfAborted();
      const left = await endKindly(belonging, options.patience ?? defaultPatience, options.signal);
      return { left, called: await askCalled(child, reports) };
    } finally {
      options.signal?.removeEventListener("abort", abort);
      end();
      // Without a PID namespace, what left the process group would survive an abort.
      if (belonging.by === "mark") sendAll({ ...belonging, session: undefined }, "SIGKILL");
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

/** Keeps the namespace open in `held`: everything in it will be sent signals, and a freed number is soon another's. */
function toBelonging(enclosure: Enclosure, child: ChildProcess, home: string, held: number[]): Belonging {
  const pid = child.pid ?? -1;
  if (enclosure.kind !== "namespaces") return { by: "mark", mark: home, session: pid };
  const namespace = readPidNamespace(pid, "pid_for_children");
  if (namespace === "" || namespace === readPidNamespace(process.pid, "pid")) {
    const facts = { subject: "PID namespace", expected: "one of its own", got: namespace || "no answer" };
    throw exerciseError("exercise.cannot-enclose", facts);
  }
  held.push(openSync(`/proc/${pid}/ns/pid_for_children`, "r"));
  return { by: "namespace", namespace, parentOfFirst: pid };
}

async function askCalled(child: ChildProcess, reports: Reports): Promise<readonly string[]> {
  (child.stdio[4] as Writable).end("done\n");
  return reports.called(setUpTime);
}

/** SIGKILL to the first process: in a PID namespace the kernel ends the others with it. */
function endTree(child: ChildProcess, enclosure: Enclosure): void {
  for (const stream of child.stdio) stream?.destroy();
  // A number that was waited for may be another's by now.
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(enclosure.kind === "namespaces" ? child.pid : -child.pid, "SIGKILL");
  } catch {
    // Already gone.
  }
}
