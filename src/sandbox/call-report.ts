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
 * Separates a stream into the transport's noise (dropped), the command's bytes, and the two marks. `tail` is the stream's last
 * bytes where `kept` was cut. The sandbox controls both; a command that forges a mark deceives only about itself.
 */
export function parseCallReport(kept: Buffer, tail: Buffer, nonce: string): CallReport {
  const content = withoutNoise(kept, nonce);
  const end = parseCallEnd(tail, nonce) ?? parseCallEnd(kept, nonce);
  if (content === undefined) return { began: false, end: undefined, bytes: kept };
  // A merged stream has the begin mark of both.
  return { began: true, end, bytes: withoutEnd(withoutBegin(content, nonce), nonce) };
}

/** What follows the begin mark; undefined where there is none: a login shell's banner was all that came. */
export function withoutNoise(bytes: Buffer, nonce: string): Buffer | undefined {
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

/** Whether the end mark has been seen: the command is over, whatever still holds its streams open. */
export function hasCallEnd(tail: Buffer, nonce: string): boolean {
  return parseCallEnd(tail, nonce) !== undefined;
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
