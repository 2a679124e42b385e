import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Reply, Wire } from "./reply.ts";

/** A request that a mock did not expect: it fails the run (Q1). */
export interface Violation {
  readonly request: string;
  readonly expected: string;
  readonly got: string;
}

export interface MockRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Parsed JSON; undefined for anything else. */
  readonly body: unknown;
}

/** One provider's protocol: what a request must look like, and how the answer is written. */
export interface MockProtocol {
  /** Everything that is wrong with a request; empty where it is expected. */
  check(request: MockRequest): readonly Violation[];
  /** The answer to a request that asks for no completion. */
  fixed?(request: MockRequest): { readonly status: number; readonly body: unknown } | undefined;
  /** Whether the script answers: a completion that a CLI asks for on the side gets a short text, and is not counted. */
  scripted(request: MockRequest): boolean;
  /** The last thing that the user said. */
  said(request: MockRequest): string;
  readonly wire: Wire;
}

export interface MockServer {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  readonly violations: readonly Violation[];
  /** Scripted completions so far. */
  readonly served: () => number;
  /** What comes from now on, one after the other; the last one is repeated. */
  use(replies: readonly [Reply, ...Reply[]]): void;
  close(): Promise<void>;
}

const bodyLimit = 16 * 1024 * 1024;
/** Between two events, in milliseconds, so that a reader sees a stream and not one block. */
const eventPause = 10;
const sideReply: Reply = { kind: "text", pieces: ["A title"] };

/** Serves one protocol on a free port of loopback. Until told otherwise it says what the user said. */
export async function startMockServer(protocol: MockProtocol): Promise<MockServer> {
  const violations: Violation[] = [];
  let script: readonly [Reply, ...Reply[]] = [{ kind: "echo" }];
  let next = 0;
  let served = 0;
  const takeReply = (): Reply => {
    served += 1;
    return script[Math.min(next++, script.length - 1)] ?? script[0];
  };
  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const request = await readRequest(incoming);
    const found = protocol.check(request);
    violations.push(...found);
    // A status that no client tries again.
    if (found.length > 0) return sendJson(outgoing, 400, { error: { message: "not expected", found } });
    const fixed = protocol.fixed?.(request);
    if (fixed !== undefined) return sendJson(outgoing, fixed.status, fixed.body);
    const reply = protocol.scripted(request) ? takeReply() : sideReply;
    await sendReply(outgoing, protocol, request, reply);
  };
  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    violations,
    served: () => served,
    use: (replies) => {
      script = replies;
      next = 0;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readRequest(incoming: IncomingMessage): Promise<MockRequest> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bodyLimit) throw new Error("a request of more than 16 MiB");
    chunks.push(chunk);
  }
  const [path = "", query = ""] = (incoming.url ?? "").split("?");
  const headers = incoming.headers as MockRequest["headers"];
  const body = parse(Buffer.concat(chunks).toString());
  return { method: incoming.method ?? "", path, query, headers, body };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function sendReply(
  outgoing: ServerResponse,
  { wire, said }: MockProtocol,
  request: MockRequest,
  reply: Reply,
): Promise<void> {
  if (reply.kind === "status") return sendJson(outgoing, reply.status, wire.error(reply.status));
  outgoing.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  if (reply.kind === "tool") {
    outgoing.end(wire.tool(reply.name, reply.input));
    return;
  }
  const pieces = reply.kind === "echo" ? said(request).split(/(?<= )/) : reply.pieces;
  outgoing.write(wire.start());
  for (const piece of pieces) {
    outgoing.write(wire.piece(piece));
    await sleep(eventPause);
  }
  if (reply.kind === "cut") outgoing.destroy();
  else if (reply.kind === "malformed") outgoing.end(wire.malformed);
  else if (reply.kind !== "stall") outgoing.end(wire.end(pieces.join("")));
}

function sendJson(outgoing: ServerResponse, status: number, body: unknown): void {
  outgoing.writeHead(status, { "content-type": "application/json" });
  outgoing.end(JSON.stringify(body));
}
