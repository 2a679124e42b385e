import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { qualifyError } from "./errors.ts";

/** Stands where a proxy would: whoever wants to leave loopback and honours the proxy variables comes here first. */
export interface ProxyTrap {
  readonly url: string;
  /** @throws `qualify.left-loopback` */
  assertUntouched(): void;
  close(): Promise<void>;
}

export async function startProxyTrap(): Promise<ProxyTrap> {
  const wanted = new Set<string>();
  const server = createServer((request, response) => {
    wanted.add(`${request.method} ${request.url}`);
    response.writeHead(502, { connection: "close" }).end();
  });
  server.on("connect", (request, socket) => {
    wanted.add(`CONNECT ${request.url}`);
    socket.on("error", () => {});
    socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    assertUntouched: () => {
      if (wanted.size === 0) return;
      const got = [...wanted].slice(0, 5).join(", ");
      throw qualifyError("qualify.left-loopback", { subject: "proxy", expected: "no request", got });
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
