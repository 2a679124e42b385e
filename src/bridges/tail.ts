import type { Readable } from "node:stream";

/** Reads a stream to its end, keeping only the last `limit` characters: what a failure's message shows. */
export function tailOf(stream: Readable, limit: number): () => string {
  let text = "";
  stream.setEncoding("utf8");
  stream.on("error", () => {});
  stream.on("data", (chunk: string) => {
    text = (text + chunk).slice(-limit);
  });
  return () => (text.trim() === "" ? "no output" : text.trim());
}
