import type { WebSocket } from "ws";
import {
  type Frame,
  parseCredit,
  parseFrame,
  parseStream,
  printCredit,
  printFrame,
  printJsonFrame,
  printStreamFrame,
} from "../../src/bridges/runnerd/frame.ts";
import { protocolName } from "../../src/bridges/runnerd/serve-connection.ts";

/** The controller's side of runnerd's frames, small: one run at a time is all that a test needs of it. */
export interface Controller {
  readonly socket: WebSocket;
  hello(manifest: string): Promise<Frame>;
  /** The next frame of a type for a run; other frames stay where they are. */
  next(type: Frame["type"], run?: number): Promise<Frame>;
  start(run: number, start: object): void;
  write(run: number, bytes: Uint8Array | string): void;
  end(run: number): void;
  credit(run: number, stream: "stdout" | "stderr", count: number): void;
  signal(run: number, signal: string): void;
  /** Both outputs and the exit of a run, with credit given as it is used up. */
  collect(run: number): Promise<{ stdout: Buffer; stderr: Buffer; exit: unknown }>;
  send(frame: Uint8Array): void;
}

export function createController(socket: WebSocket): Controller {
  const frames: Frame[] = [];
  const waiting = new Set<() => void>();
  let closed = false;
  const wake = (): void => {
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  socket.on("message", (data: Buffer) => {
    frames.push(parseFrame(data));
    wake();
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    closed = true;
    wake();
  });
  const take = async (fits: (frame: Frame) => boolean): Promise<Frame> => {
    for (;;) {
      const index = frames.findIndex(fits);
      const [frame] = index < 0 ? [] : frames.splice(index, 1);
      if (frame !== undefined) return frame;
      if (closed) throw new Error(`closed; left: ${frames.map(({ type, payload }) => `${type} ${payload}`)}`);
      await new Promise<void>((resolve) => waiting.add(resolve));
    }
  };
  const send = (frame: Uint8Array): void => socket.send(frame);
  const controller: Controller = {
    socket,
    send,
    next: (type, run) => take((frame) => frame.type === type && (run === undefined || frame.run === run)),
    hello: (manifest) => {
      send(printJsonFrame("hello", 0, { protocol: protocolName, manifest }));
      return take(({ run }) => run === 0);
    },
    start: (run, start) => send(printJsonFrame("start", run, start)),
    write: (run, bytes) => send(printStreamFrame("data", run, "stdin", Buffer.from(bytes as string))),
    end: (run) => send(printStreamFrame("end", run, "stdin", Buffer.alloc(0))),
    credit: (run, stream, count) => send(printCredit(run, stream, count)),
    signal: (run, signal) => send(printJsonFrame("signal", run, { signal })),
    collect: async (run) => {
      const output: { stdout: Buffer[]; stderr: Buffer[] } = { stdout: [], stderr: [] };
      for (;;) {
        const frame = await take((one) => one.run === run && ["data", "exit", "refused"].includes(one.type));
        if (frame.type !== "data") {
          const exit: unknown = JSON.parse(frame.payload.toString());
          return { stdout: Buffer.concat(output.stdout), stderr: Buffer.concat(output.stderr), exit };
        }
        const { stream, bytes } = parseStream(frame);
        if (stream === "stdin") throw new Error("runnerd sent stdin");
        output[stream].push(bytes);
        controller.credit(run, stream, bytes.length);
      }
    },
  };
  return controller;
}

export { parseCredit, parseStream, printFrame };
