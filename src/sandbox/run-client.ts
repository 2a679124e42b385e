import { Buffer } from "node:buffer";
import { type ChildProcess, spawn } from "node:child_process";
import { pipeline } from "node:stream/promises";
import { BoundedOutput } from "./bounded-output.ts";

export interface ClientRun {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly stdin?: Uint8Array | AsyncIterable<Uint8Array>;
  readonly maxOutputBytes: number;
  /** Milliseconds after which the client is killed, whatever it is doing. */
  readonly killAfterMs: number;
  readonly signal?: AbortSignal;
  /** True once the streams show that the command is over: the client then has a second of silence to end by itself. */
  readonly isOver?: (stream: "stdout" | "stderr", window: Buffer) => boolean;
}

export interface ClientResult {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: BoundedOutput;
  readonly stderr: BoundedOutput;
  readonly killed: "time" | "abort" | "over" | undefined;
}

const silenceMs = 1000;
const drainMs = 1000;

/** Runs a client program in a process group of its own, bounded in time and memory, and leaves none of the group behind. */
export async function runClient(run: ClientRun): Promise<ClientResult> {
  const child = spawn(run.file, [...run.args], {
    env: { ...run.env },
    ...(run.cwd === undefined ? {} : { cwd: run.cwd }),
    detached: true,
    stdio: [run.stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  const stdout = new BoundedOutput(run.maxOutputBytes);
  const stderr = new BoundedOutput(run.maxOutputBytes);
  const stop = new GroupStop(child, run);
  for (const [name, output] of [
    ["stdout", stdout],
    ["stderr", stderr],
  ] as const) {
    child[name]?.on("data", (chunk: Buffer) => {
      const window = output.push(chunk);
      if (run.isOver?.(name, window)) stop.over();
      stop.heard();
    });
  }
  let sourceError: unknown;
  feed(child, run.stdin, (error) => {
    sourceError = error;
    stop.kill("abort");
  });
  try {
    const { code, signal } = await closed(child);
    if (sourceError !== undefined) throw sourceError;
    return { exitCode: code, signal, stdout, stderr, killed: stop.reason };
  } finally {
    stop.clear();
  }
}

/** Kills the client's group once, for the first reason that comes. */
class GroupStop {
  readonly #child: ChildProcess;
  readonly #signal: AbortSignal | undefined;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #abort = () => this.kill("abort");
  #silence: NodeJS.Timeout | undefined;
  reason: ClientResult["killed"];

  constructor(child: ChildProcess, run: ClientRun) {
    this.#child = child;
    this.#signal = run.signal;
    this.#timers.add(setTimeout(() => this.kill("time"), run.killAfterMs));
    if (run.signal?.aborted) this.kill("abort");
    run.signal?.addEventListener("abort", this.#abort, { once: true });
    // The client may be gone while something it started holds its streams: their bytes get a moment, then they are closed.
    child.once("exit", () => this.#timers.add(setTimeout(() => this.#close(), drainMs)));
  }

  over(): void {
    this.#silence ??= setTimeout(() => this.kill("over"), silenceMs);
  }

  heard(): void {
    this.#silence?.refresh();
  }

  clear(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    clearTimeout(this.#silence);
    this.#signal?.removeEventListener("abort", this.#abort);
  }

  kill(reason: NonNullable<ClientResult["killed"]>): void {
    this.reason ??= reason;
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // The group is already gone.
    }
  }

  #close(): void {
    this.kill(this.reason ?? "over");
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }
}

/** A command may end without reading its input: a broken pipe is its choice. A source that fails must not look like its end. */
function feed(child: ChildProcess, stdin: ClientRun["stdin"], failed: (error: unknown) => void): void {
  if (stdin === undefined || child.stdin === null) return;
  const source = stdin instanceof Uint8Array ? [Buffer.from(stdin)] : stdin;
  pipeline(source, child.stdin).catch((error: NodeJS.ErrnoException) => {
    if (!pipeCodes.has(error?.code ?? "")) failed(error);
  });
}

const pipeCodes = new Set(["EPIPE", "ECONNRESET", "ERR_STREAM_PREMATURE_CLOSE", "ERR_STREAM_DESTROYED"]);

function closed(child: ChildProcess): Promise<{ code: number | null; signal: string | null }> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
}
