import { bridgesError } from "../errors.ts";

/** Frame types by number (docs/runnerd.md, rule R4). */
export const frameTypes = {
  hello: 1,
  start: 2,
  started: 3,
  data: 4,
  end: 5,
  credit: 6,
  signal: 7,
  exit: 8,
  refused: 9,
} as const;
export type FrameType = keyof typeof frameTypes;

/** One WebSocket message. `run` is 0 for the connection itself. */
export interface Frame {
  readonly type: FrameType;
  readonly run: number;
  readonly payload: Buffer;
}

/** First byte of the payload of `data`, `end` and `credit`. */
export const streams = { stdin: 0, stdout: 1, stderr: 2 } as const;
export type StreamName = keyof typeof streams;

/** Rule R2: the largest payload of `data` without its stream byte, and of every other frame. */
export const maxData = 65_536;
export const maxControl = 1_048_576;
/** Rule R6: what a sender may send on a stream before the first credit. */
export const initialCredit = 262_144;

const typeNames: ReadonlyMap<number, FrameType> = new Map(
  Object.entries(frameTypes).map(([name, value]) => [value, name as FrameType]),
);
const streamNames: ReadonlyMap<number, StreamName> = new Map(
  Object.entries(streams).map(([name, value]) => [value, name as StreamName]),
);

/** `[type, run as four bytes big endian, payload]` */
export function printFrame(type: FrameType, run: number, payload: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(5 + payload.length);
  frame.writeUInt8(frameTypes[type], 0);
  frame.writeUInt32BE(run, 1);
  frame.set(payload, 5);
  return frame;
}

export function printJsonFrame(type: FrameType, run: number, value: unknown): Buffer {
  return printFrame(type, run, Buffer.from(JSON.stringify(value)));
}

export function printStreamFrame(
  type: "data" | "end" | "credit",
  run: number,
  stream: StreamName,
  bytes: Uint8Array,
): Buffer {
  return printFrame(type, run, Buffer.concat([Buffer.from([streams[stream]]), bytes]));
}

export function printCredit(run: number, stream: StreamName, count: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(count);
  return printStreamFrame("credit", run, stream, bytes);
}

/** A message from the other side, which controls every byte of it. @throws `bridges.frame-malformed`, `.frame-too-large` */
export function parseFrame(message: Buffer): Frame {
  if (message.length < 5) throw malformed("at least 5 bytes", `${message.length}`);
  const type = typeNames.get(message.readUInt8(0));
  if (type === undefined) throw malformed("a known frame type", String(message.readUInt8(0)));
  const payload = message.subarray(5);
  const limit = type === "data" ? maxData + 1 : maxControl;
  if (payload.length > limit) {
    const facts = {
      subject: `${type} frame`,
      expected: `a payload of at most ${limit} bytes`,
      got: `${payload.length}`,
    };
    throw bridgesError("bridges.frame-too-large", facts);
  }
  return { type, run: message.readUInt32BE(1), payload };
}

/** The stream that a `data`, `end` or `credit` frame is about, and the rest. @throws `bridges.frame-malformed` */
export function parseStream({ type, payload }: Frame): {
  readonly stream: StreamName;
  readonly bytes: Buffer;
} {
  const stream = payload.length === 0 ? undefined : streamNames.get(payload.readUInt8(0));
  if (stream === undefined)
    throw malformed(`${type} with a stream of 0, 1 or 2`, payload.subarray(0, 1).toString("hex"));
  return { stream, bytes: payload.subarray(1) };
}

/** @throws `bridges.frame-malformed` */
export function parseCredit(frame: Frame): { readonly stream: StreamName; readonly count: number } {
  const { stream, bytes } = parseStream(frame);
  const count = bytes.length === 4 ? bytes.readUInt32BE() : 0;
  if (count === 0) throw malformed("credit of four bytes, above 0", bytes.toString("hex").slice(0, 20));
  return { stream, count };
}

/** The JSON object in a frame, with exactly the given keys. @throws `bridges.frame-malformed` */
export function parseJsonPayload(frame: Frame, keys: readonly string[]): Readonly<Record<string, unknown>> {
  const text = frame.payload.toString("utf8");
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      const unknown = Object.keys(value).find((key) => !keys.includes(key));
      if (unknown === undefined) return value as Readonly<Record<string, unknown>>;
    }
  } catch {
    // Told below.
  }
  throw malformed(
    `${frame.type} with a JSON object of ${keys.join(", ")}`,
    JSON.stringify(text.slice(0, 200)),
  );
}

export function malformed(expected: string, got: string): Error {
  return bridgesError("bridges.frame-malformed", { subject: "frame", expected, got });
}
