import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { bridgesError } from "./errors.ts";

/**
 * The lines of a stream, without their newlines, each at most `limit` characters; a last one without a newline is not
 * a line. Whoever iterates slowly holds the writer back.
 * @throws `bridges.frame-too-large`
 */
export async function* readLines(stream: Readable, limit: number): AsyncGenerator<string> {
  const decoder = new StringDecoder("utf8");
  let pending = "";
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const lines = (pending + decoder.write(chunk)).split("\n");
    pending = lines.pop() ?? "";
    for (const line of [...lines, pending]) if (line.length > limit) throw tooLarge(limit);
    yield* lines;
  }
}

function tooLarge(limit: number): Error {
  const facts = { subject: "frame", expected: `at most ${limit} characters`, got: "more" };
  return bridgesError("bridges.frame-too-large", facts);
}
