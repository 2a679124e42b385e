import { type IncomingMessage, request } from "node:http";
import { bridgesError } from "../errors.ts";

/** Where OpenCode's server listens, and the header that it asks for. */
export interface OpencodeAddress {
  readonly port: number;
  readonly authorization?: string;
}

export interface OpencodeRequest {
  readonly method: "GET" | "POST" | "DELETE";
  /** With the query, already escaped. */
  readonly path: string;
  readonly body?: unknown;
  /** Milliseconds until an answer must be complete. */
  readonly timeout?: number;
}

export interface OpencodeAnswer {
  readonly status: number;
  readonly text: string;
}

const answerLimit = 64 * 1024 * 1024;

/** Opens an answer whose body may go on for ever; `signal` ends it. */
export function openAnswer(
  address: OpencodeAddress,
  { method, path, body }: OpencodeRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const text = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const headers = {
    ...(address.authorization === undefined ? {} : { authorization: address.authorization }),
    ...(text === undefined ? {} : { "content-type": "application/json", "content-length": text.length }),
  };
  // One connection per request: a kept one can be closed by the server just as the next request is written.
  const options = {
    host: "127.0.0.1",
    port: address.port,
    method,
    path,
    headers,
    agent: false as const,
    signal,
  };
  request(options, resolve).on("error", reject).end(text);
  return promise;
}

/**
 * One request, its whole answer, whatever its status.
 * @throws `bridges.opencode-request` for no answer in time, a broken one, or one over 64 MiB
 */
export async function sendRequest(address: OpencodeAddress, asked: OpencodeRequest): Promise<OpencodeAnswer> {
  const signal = AbortSignal.timeout(asked.timeout ?? 30_000);
  try {
    const answer = await openAnswer(address, asked, signal);
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > answerLimit) throw new Error(`more than ${answerLimit} bytes`);
    }
    return { status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") };
  } catch (cause) {
    throw toRequestError(
      asked,
      signal.aborted ? "nothing complete in time" : (cause as Error).message,
      cause,
    );
  }
}

/**
 * One request that must succeed; the parsed JSON of its answer, or undefined for 204.
 * @throws `bridges.opencode-request`
 */
export async function askJson(address: OpencodeAddress, asked: OpencodeRequest): Promise<unknown> {
  const { status, text } = await sendRequest(address, asked);
  if (status === 204) return undefined;
  if (status !== 200) throw toRequestError(asked, `status ${status}: ${text.slice(0, 500)}`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw toRequestError(asked, `not JSON: ${JSON.stringify(text.slice(0, 200))}`, cause);
  }
}

function toRequestError({ method, path }: OpencodeRequest, got: string, cause?: unknown): Error {
  const subject = `OpenCode: ${method} ${path.split("?")[0]}`;
  return bridgesError("bridges.opencode-request", {
    subject,
    expected: "status 200 or 204 and JSON",
    got,
    cause,
  });
}
