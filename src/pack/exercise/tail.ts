import type { Readable } from "node:stream";

/** Keeps the last `limit` bytes of a stream and lets the rest go. */
export function keepTail(stream: Readable, limit: number): () => string {
  let kept = Buffer.alloc(0);
  stream.on("data", (chunk: Buffer) => {
    kept = Buffer.concat([kept, chunk]).subarray(-limit);
  });
  stream.on("error", () => {});
  return () => kept.toString("utf8").trim();
}

/** The last lines of a text, for one line of a message. */
export function toLastLines(text: string, count = 4): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.length === 0 ? "no stderr" : lines.slice(-count).join(" | ").slice(-600);
}
