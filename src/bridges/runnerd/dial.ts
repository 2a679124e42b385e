import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import WebSocket from "ws";
import { bridgesError } from "../errors.ts";
import { socketSettings, subprotocol } from "./carry-socket.ts";

/**
 * Connects to a controller, presenting the ticket. TLS is never weakened from outside: the environment cannot switch
 * verification off, and a given bundle is the only one that counts.
 * @throws `bridges.ticket-refused`, `bridges.certificate-refused`, `bridges.connection-failed`, `bridges.ca-unreadable`
 */
export async function dial(url: URL, ticket: string, ca: string | undefined): Promise<WebSocket> {
  const socket = new WebSocket(url, subprotocol, {
    ...socketSettings,
    headers: { authorization: `Bearer ${ticket}` },
    handshakeTimeout: 15_000,
    followRedirects: false,
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca: readBundle(ca) }),
  });
  const { promise, resolve, reject } = Promise.withResolvers<WebSocket>();
  socket.once("open", () => {
    // Nothing is read before somebody listens.
    socket.pause();
    resolve(socket);
  });
  socket.once("unexpected-response", (request, response) => {
    reject(toRefusal(url, response.statusCode ?? 0));
    request.destroy();
  });
  socket.once("error", (error) => reject(toFailure(url, error)));
  return promise;
}

function readBundle(path: string): Buffer {
  try {
    const bytes = readFileSync(path);
    new X509Certificate(bytes);
    return bytes;
  } catch (cause) {
    const got = (cause as NodeJS.ErrnoException).code ?? "something else";
    throw bridgesError("bridges.ca-unreadable", { subject: path, expected: "PEM certificates", got, cause });
  }
}

function toRefusal({ origin }: URL, status: number): Error {
  const code = status === 401 || status === 403 ? "bridges.ticket-refused" : "bridges.connection-failed";
  return bridgesError(code, { subject: origin, expected: "a WebSocket", got: `status ${status}` });
}

/** Node's names for what can be wrong with a certificate, OpenSSL's and its own. */
const certificateCodes =
  /^(CERT_|ERR_TLS_CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_CA|HOSTNAME_MISMATCH|INVALID_PURPOSE)/;

function toFailure({ origin }: URL, cause: Error): Error {
  const got = (cause as NodeJS.ErrnoException).code ?? cause.message;
  const code = certificateCodes.test(got) ? "bridges.certificate-refused" : "bridges.connection-failed";
  return bridgesError(code, { subject: origin, expected: "a connection to the controller", got, cause });
}
