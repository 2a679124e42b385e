import type { WebSocket } from "ws";
import { isSealpackError } from "../../errors.ts";
import { bridgesError } from "../errors.ts";
import { startGuardian } from "../guardian/start-guardian.ts";
import type { Pack } from "../pack-commands.ts";
import { maxControl, parseFrame, printJsonFrame } from "./frame.ts";
import { serveConnection } from "./serve-connection.ts";

/** Settings of both kinds of sockets: no compression (a frame's size bounds its memory), nothing larger than a frame. */
export const socketSettings = { perMessageDeflate: false, maxPayload: maxControl + 5 } as const;
export const subprotocol = "paperclip-runner.prp.v1";

export interface CarryOptions {
  readonly program: string;
  readonly pack: Pack;
  readonly pingInterval: number;
  /** Resolves when runnerd was told to end. */
  readonly ended: Promise<void>;
}

/**
 * Serves one open socket until it closes, breaks, falls silent or misbehaves; then everything that was started over it
 * is ended. Resolves for a proper close.
 * @throws `bridges.connection-lost`, `bridges.connection-silent`, `bridges.frame-malformed`, `bridges.pack-differs`
 */
export async function carrySocket(socket: WebSocket, options: CarryOptions): Promise<void> {
  const closed = whenClosed(socket);
  closed.catch(() => {});
  const guardian = await startGuardian(options.program);
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  const stopPings = watchPings(socket, options.pingInterval, failed.reject);
  const connection = serveConnection(options.pack, guardian, { send: (frame) => sendFrame(socket, frame) });
  // One after the other: a start takes its time to be checked, and the data for it must not overtake it.
  let last: Promise<unknown> = Promise.resolve();
  socket.on("message", (data: Buffer, isBinary: boolean) => {
    last = last
      .then(() => connection.accept(parseFrame(isBinary ? data : Buffer.alloc(0))))
      .catch(failed.reject);
  });
  socket.resume();
  try {
    await Promise.race([closed, failed.promise, guardian.lost, options.ended]);
    socket.close(1001, "runnerd ends");
  } catch (error) {
    await sayWhy(socket, error);
    throw error;
  } finally {
    stopPings();
    await guardian.end();
    setTimeout(() => socket.terminate(), 1000).unref();
  }
}

async function sayWhy(socket: WebSocket, error: unknown): Promise<void> {
  if (!isSealpackError(error) || socket.readyState !== socket.OPEN) return socket.terminate();
  const { code, message, remedy } = error;
  socket.send(printJsonFrame("refused", 0, { code, message, remedy }), () => {});
  socket.close(1002, code);
}

/** Resolves when the frame left our hands: the socket's own buffer is the only place where it may wait. */
function sendFrame(socket: WebSocket, frame: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.send(frame, (error) => (error ? reject(error) : resolve()));
  });
}

function whenClosed(socket: WebSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.on("error", (cause) => reject(toLost(cause.message, cause)));
    socket.on("close", (code) =>
      code === 1000 || code === 1001 || code === 1005 ? resolve() : reject(toLost(`close ${code}`)),
    );
  });
}

/** Every message counts as a sign of life, a pong above all. */
function watchPings(socket: WebSocket, interval: number, fail: (error: Error) => void): () => void {
  let heard = performance.now();
  for (const event of ["message", "ping", "pong"]) {
    socket.on(event, () => {
      heard = performance.now();
    });
  }
  const timer = setInterval(() => {
    if (performance.now() - heard > 2 * interval) {
      const got = `silence for ${Math.round((performance.now() - heard) / 1000)} s`;
      fail(
        bridgesError("bridges.connection-silent", {
          subject: "connection",
          expected: "an answer to a ping",
          got,
        }),
      );
    } else if (socket.readyState === socket.OPEN) socket.ping();
  }, interval);
  return () => clearInterval(timer);
}

function toLost(got: string, cause?: unknown): Error {
  return bridgesError("bridges.connection-lost", {
    subject: "connection",
    expected: "a proper close",
    got,
    cause,
  });
}
