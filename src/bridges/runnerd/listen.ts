import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, isIPv6 } from "node:net";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { bridgesError } from "../errors.ts";
import { socketSettings, subprotocol } from "./carry-socket.ts";
import { isTicket, parseBearer } from "./ticket.ts";

export interface Listener {
  /** `ws://<ip>:<port>/`. */
  readonly url: string;
  close(): void;
}

/**
 * Waits for controllers: one at a time, each with the ticket. `carry` serves an admitted socket to its end. A page in
 * somebody's browser is no controller: a request with an Origin is refused.
 * @throws `bridges.listen-failed`
 */
export async function listen(
  { host, port }: { readonly host: string; readonly port: number },
  ticket: string,
  carry: (socket: WebSocket) => Promise<void>,
): Promise<Listener> {
  const sockets = new WebSocketServer({
    ...socketSettings,
    noServer: true,
    handleProtocols: () => subprotocol,
  });
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 10_000 }, (_, response) => {
    response.writeHead(426, { connection: "close" }).end();
  });
  let taken = false;
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => {});
    const status = judge(request, ticket, taken);
    if (status !== undefined) {
      socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    taken = true;
    sockets.handleUpgrade(request, socket, head, (open) => {
      open.pause();
      carry(open).finally(() => {
        taken = false;
      });
    });
    // An upgrade that fails after all leaves nobody behind.
    socket.once("close", () => {
      if (sockets.clients.size === 0) taken = false;
    });
  });
  server.maxConnections = 32;
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (cause) {
    const got = (cause as NodeJS.ErrnoException).code ?? "unknown error";
    throw bridgesError("bridges.listen-failed", {
      subject: `${host}:${port}`,
      expected: "a free port",
      got,
      cause,
    });
  }
  const address = server.address() as AddressInfo;
  const shown = isIPv6(address.address) ? `[${address.address}]` : address.address;
  return {
    url: `ws://${shown}:${address.port}/`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The ticket first: without it nobody learns whether a controller is here. */
function judge({ headers }: IncomingMessage, ticket: string, taken: boolean): string | undefined {
  if (!isTicket(ticket, parseBearer(headers.authorization))) return "401 Unauthorized";
  if (headers.origin !== undefined) return "403 Forbidden";
  return taken ? "409 Conflict" : undefined;
}
