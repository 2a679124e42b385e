import type { Readable, Writable } from "node:stream";
import { exerciseError } from "./errors.ts";
import { within } from "./reports.ts";

export interface AcpAnswer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** One side of JSON-RPC 2.0 over lines (Agent Client Protocol on stdio). */
export interface AcpExchange {
  /** @throws exercise.acp-no-answer, exercise.acp-timeout, exercise.acp-not-json, exercise.acp-too-much-output */
  ask(method: string, params: unknown): Promise<AcpAnswer>;
}

export interface AcpStreams {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** When the command has ended: its stdout stays open, since others hold it too. */
  readonly exited: Promise<unknown>;
  /** The end of its stderr. */
  readonly lastWords: () => string;
}

interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

const outputLimit = 4 * 1024 * 1024;

/** What was written before the end is read within this time, in milliseconds. */
const afterExit = 200;

/** `name` is for messages; `time` is per answer, in milliseconds. */
export function openAcpExchange(name: string, streams: AcpStreams, time: number): AcpExchange {
  const waiting = new Map<number, PromiseWithResolvers<AcpAnswer>>();
  let failure: unknown;
  const fail = (error: unknown): void => {
    failure ??= error;
    for (const answer of waiting.values()) answer.reject(failure);
  };
  const send = (message: object): void => {
    streams.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  };
  const accept = (line: string): void => {
    if (line.trim() === "") return;
    const message = parseMessage(name, line);
    if (message.method === undefined) waiting.get(message.id as number)?.resolve(toAnswer(message));
    // The agent may ask us for a file or a terminal; we offered neither, and it must not wait for an answer.
    else if (message.id !== undefined)
      send({ id: message.id, error: { code: -32601, message: "Method not found" } });
  };
  streams.stdin.on("error", () => {});
  const end = (): void => fail(toNoAnswer(name, streams.lastWords()));
  const endSoon = (): unknown => setTimeout(end, afterExit);
  streams.exited.then(endSoon, endSoon);
  readMessages(name, streams.stdout, accept, fail);
  let next = 0;
  return {
    ask: async (method, params) => {
      if (failure !== undefined) throw failure;
      const id = next++;
      const answer = Promise.withResolvers<AcpAnswer>();
      waiting.set(id, answer);
      send({ id, method, params });
      const late = (): never => {
        const got = `nothing within ${time / 1000} s (${streams.lastWords()})`;
        throw exerciseError("exercise.acp-timeout", {
          subject: `${name}: ${method}`,
          expected: "an answer",
          got,
        });
      };
      const answered = await within<AcpAnswer | "late">(answer.promise, time, () => "late");
      return answered === "late" ? late() : answered;
    },
  };
}

function readMessages(
  name: string,
  stream: Readable,
  accept: (line: string) => void,
  fail: (error: unknown) => void,
): void {
  let pending = "";
  let total = 0;
  stream.setEncoding("utf8");
  stream.on("error", () => {});
  stream.on("data", (chunk: string) => {
    total += chunk.length;
    if (total > outputLimit) {
      stream.pause();
      const facts = { subject: name, expected: "at most 4 MiB on stdout", got: "more" };
      fail(exerciseError("exercise.acp-too-much-output", facts));
      return;
    }
    const lines = (pending + chunk).split("\n");
    pending = lines.pop() ?? "";
    try {
      lines.forEach(accept);
    } catch (error) {
      fail(error);
    }
  });
}

function parseMessage(name: string, line: string): Message {
  const value = parseJson(line);
  if (typeof value === "object" && value !== null && (value as { jsonrpc?: unknown }).jsonrpc === "2.0")
    return value;
  const got = JSON.stringify(line.slice(0, 200));
  throw exerciseError("exercise.acp-not-json", { subject: name, expected: "JSON-RPC 2.0 on stdout", got });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toAnswer({ result, error }: Message): AcpAnswer {
  if (error === undefined) return { result };
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return { error: { code: Number(code), message: String(message) } };
}

function toNoAnswer(name: string, lastWords: string): Error {
  const facts = { subject: name, expected: "an answer", got: `the end of its output (${lastWords})` };
  return exerciseError("exercise.acp-no-answer", facts);
}
