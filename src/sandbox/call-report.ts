import { Buffer } from "node:buffer";

/** What the supervisor said about one call, taken out of the stream that carried it. */
export interface CallReport {
  readonly began: boolean;
  readonly end: CallEnd | undefined;
  /** The command's own bytes of that stream. */
  readonly bytes: Buffer;
}

export type CallEnd =
  | { readonly kind: "exit"; readonly exitCode: number; readonly timedOut: boolean }
  | { readonly kind: "bad-cwd" };

/**
 * Separates a stream into the transport's noise (dropped), the command's bytes, and the two marks. `end` is given where it was seen
 * in what was not kept. The sandbox controls all of it; a command that forges a mark deceives only about itself.
 */
export function parseCallReport(kept: Buffer, nonce: string, end?: CallEnd): CallReport {
  const content = withoutNoise(kept, nonce);
  if (content === undefined) return { began: false, end: undefined, bytes: kept };
  // A merged stream has the begin mark of both.
  return {
    began: true,
    end: end ?? parseCallEnd(kept, nonce),
    bytes: withoutEnd(withoutBegin(content, nonce), nonce),
  };
}

/** A streamed stdout's own bytes: without a login shell's banner and the marks. */
export function withoutMarks(bytes: Buffer, nonce: string): Buffer {
  return withoutEnd(withoutNoise(bytes, nonce) ?? bytes, nonce);
}

/** What follows the begin mark; undefined where there is none. */
function withoutNoise(bytes: Buffer, nonce: string): Buffer | undefined {
  const begin = toBegin(nonce);
  const start = bytes.indexOf(begin);
  return start < 0 ? undefined : bytes.subarray(start + begin.length);
}

function toBegin(nonce: string): Buffer {
  return Buffer.from(`\n${nonce} begin\n`);
}

function withoutBegin(content: Buffer, nonce: string): Buffer {
  const begin = toBegin(nonce);
  const start = content.indexOf(begin);
  if (start < 0) return content;
  return Buffer.concat([content.subarray(0, start), content.subarray(start + begin.length)]);
}

/** The end marks of a call's two streams, looked for as the bytes come. */
export class CallEnds {
  readonly #nonce: string;
  stdout: CallEnd | undefined;
  stderr: CallEnd | undefined;

  constructor(nonce: string) {
    this.#nonce = nonce;
  }

  /** True once both have come: the command is over and all of its output is here, whatever still holds the streams open. */
  look(stream: "stdout" | "stderr", window: Buffer): boolean {
    this[stream] ??= parseCallEnd(window, this.#nonce);
    return this.stdout !== undefined && this.stderr !== undefined;
  }
}

function parseCallEnd(bytes: Buffer, nonce: string): CallEnd | undefined {
  const start = bytes.lastIndexOf(`\n${nonce} end `);
  if (start < 0) return undefined;
  const line = bytes.subarray(start, start + 80).toString("latin1");
  const match = /^\n[0-9a-f]+ end (?:(cwd)|([0-9]{1,3})( timeout)?)\n/.exec(line);
  if (match === null) return undefined;
  if (match[1] !== undefined) return { kind: "bad-cwd" };
  return { kind: "exit", exitCode: Number(match[2]), timedOut: match[3] !== undefined };
}

/** A merged stream can have the mark before its last bytes: it is cut out, not off. */
function withoutEnd(content: Buffer, nonce: string): Buffer {
  const start = content.lastIndexOf(`\n${nonce} end `);
  if (start < 0) return content;
  const stop = content.indexOf("\n", start + 1);
  if (stop < 0) return content.subarray(0, start);
  return Buffer.concat([content.subarray(0, start), content.subarray(stop + 1)]);
}
