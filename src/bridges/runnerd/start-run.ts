import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { bridgesError } from "../errors.ts";
import { retireAll } from "../guardian/run-guardian.ts";
import { createMark, type Guardian } from "../guardian/start-guardian.ts";
import { type Credit, createAllowance, createCredit } from "./credit.ts";
import { maxData, printCredit, printJsonFrame, printStreamFrame, type StreamName } from "./frame.ts";

export interface RunOptions {
  readonly run: number;
  /** What to start, by absolute path. */
  readonly executable: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export const signals = [
  "SIGHUP",
  "SIGINT",
  "SIGQUIT",
  "SIGKILL",
  "SIGUSR1",
  "SIGUSR2",
  "SIGTERM",
  "SIGCONT",
  "SIGSTOP",
] as const;
export type SignalName = (typeof signals)[number];

/** One command that a controller started, until its exit was sent. */
export interface Run {
  write(bytes: Buffer): void;
  endInput(): void;
  addCredit(stream: StreamName, count: number): void;
  /** To the whole process group. */
  signal(name: SignalName): void;
  /** Resolves after the last frame of the run. */
  readonly done: Promise<void>;
}

/**
 * Starts a command in a process group of its own and carries its streams. `send` resolves when the frame has left, so
 * that nothing piles up: output is read from the pipe only as credit allows.
 * @throws `bridges.spawn-failed`
 */
export async function startRun(
  options: RunOptions,
  guardian: Guardian,
  send: (frame: Buffer) => Promise<void>,
): Promise<Run> {
  const { run } = options;
  const mark = createMark();
  const child = await spawnChild({ ...options, env: { ...options.env, [mark]: "1" } }, guardian);
  const group = child.pid ?? 0;
  const output = { stdout: createCredit(), stderr: createCredit() };
  const input = createAllowance();
  const exited = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  // What the command leaves behind ends with it, in its group or not; what it wrote is still in the pipes. Otherwise a
  // daemon that holds an output open would keep the exit from the controller.
  const wards = { groups: new Set([group]), known: new Map(), spared: new Set([process.pid]) };
  const left = exited.then(() => retireAll(mark, wards));
  await send(printJsonFrame("started", run, { pid: group }));
  const finish = async (): Promise<void> => {
    const pumps = [
      pump(child.stdout, "stdout", run, output.stdout, send),
      pump(child.stderr, "stderr", run, output.stderr, send),
    ];
    await Promise.all([...pumps, left]);
    const [code, signal] = await exited;
    guardian.drop(group);
    await send(printJsonFrame("exit", run, { code, signal }));
  };
  child.stdin.on("error", () => {});
  return {
    done: finish(),
    write: (bytes) => {
      input.spend(bytes.length);
      const grant = (): void => {
        input.grant(bytes.length);
        void send(printCredit(run, "stdin", bytes.length));
      };
      // A command that closed its input takes no more: what comes for it is dropped, and acknowledged all the same.
      child.stdin.write(bytes, grant);
    },
    endInput: () => child.stdin.end(),
    addCredit: (stream, count) => {
      if (stream === "stdin") throw refused("credit for stdout or stderr", stream);
      output[stream].add(count);
    },
    signal: (name) => signalGroup(group, name),
  };
}

type Child = ChildProcess & {
  readonly stdin: NonNullable<ChildProcess["stdin"]>;
  readonly stdout: Readable;
  readonly stderr: Readable;
};

async function spawnChild({ executable, args, cwd, env }: RunOptions, guardian: Guardian): Promise<Child> {
  const child = spawn(executable, args, {
    cwd,
    detached: true,
    env: { ...env, ...guardian.env },
    stdio: "pipe",
  });
  if (child.pid !== undefined) guardian.watch(child.pid);
  try {
    await once(child, "spawn");
  } catch (cause) {
    const got = (cause as NodeJS.ErrnoException).code ?? "unknown error";
    throw bridgesError("bridges.spawn-failed", { subject: executable, expected: "a process", got, cause });
  }
  return child;
}

async function pump(
  stream: Readable,
  name: "stdout" | "stderr",
  run: number,
  credit: Credit,
  send: (frame: Buffer) => Promise<void>,
): Promise<void> {
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    for (let rest = chunk; rest.length > 0; ) {
      const count = await credit.take(Math.min(rest.length, maxData));
      await send(printStreamFrame("data", run, name, rest.subarray(0, count)));
      rest = rest.subarray(count);
    }
  }
  await send(printStreamFrame("end", run, name, Buffer.alloc(0)));
}

function signalGroup(group: number, signal: SignalName): void {
  try {
    process.kill(-group, signal);
  } catch {
    // Nobody is left in it.
  }
}

function refused(expected: string, got: string): Error {
  return bridgesError("bridges.run-refused", { subject: "run", expected, got });
}
