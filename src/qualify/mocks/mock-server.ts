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

export interface MockServer {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  readonly violations: readonly Violation[];
  /** Completions asked for so far. */
  readonly served: () => number;
  /** Connections that are open now. */
  readonly open: () => number;
  close(): Promise<void>;
}

/** One provider's protocol: what a request must look like, and how the answer is written. */
export interface MockProtocol {
  /** Everything that is wrong with a request; empty where it is expected. */
  check(request: MockRequest): readonly Violation[];
  /** Whether the script answers: a request that a CLI makes on the side always gets a short text, and is not counted. */
  scripted(request: MockRequest): boolean;
  readonly wire: Wire;
}

export interface MockRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
}

const asideReply: Reply = { kind: "text", pieces: ["A title"] };
const bodyLimit = 16 * 1024 * 1024;
/** Between two events, so that a reader sees a stream and not one block. */
const eventPause = 10;

/** Serves one protocol on a free port of loopback, by a script of replies. */
export async function startMockServer(
  protocol: MockProtocol,
  replies: readonly Reply[],
): Promise<MockServer> {
  const violations: Violation[] = [];
  const sockets = new Set<object>();
  let served = 0;
  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const request = await readRequest(incoming);
    const found = protocol.check(request);
    violations.push(...found);
    if (found.length > 0) return sendJson(outgoing, 418, { error: found });
    const reply = protocol.scripted(request) ? replies[Math.min(served++, replies.length - 1)] : asideReply;
    if (reply !== undefined) await sendReply(outgoing, protocol.wire, reply);
  };
  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    violations,
    served: () => served,
    open: () => sockets.size,
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
  return {
    method: incoming.method ?? "",
    path,
    query,
    headers,
    body: parse(Buffer.concat(chunks).toString()),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function sendReply(outgoing: ServerResponse, wire: Wire, reply: Reply): Promise<void> {
  if (reply.kind === "status") return sendJson(outgoing, reply.status, JSON.parse(wire.error(reply.status)));
  outgoing.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  outgoing.write(wire.start());
  for (const piece of reply.kind === "tool" ? [] : reply.pieces) {
    outgoing.write(wire.piece(piece));
    await sleep(eventPause);
  }
  if (reply.kind === "stall") return;
  if (reply.kind === "cut") {
    outgoing.destroy();
    return;
  }
  if (reply.kind === "malformed") outgoing.end(wire.malformed);
  else if (reply.kind === "tool") outgoing.end(wire.tool(reply.name, reply.input) + wire.end("tool"));
  else outgoing.end(wire.end("stop"));
}

function sendJson(outgoing: ServerResponse, status: number, body: unknown): void {
  outgoing.writeHead(status, { "content-type": "application/json" });
  outgoing.end(JSON.stringify(body));
}
