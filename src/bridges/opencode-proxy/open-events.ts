import { bridgesError } from "../errors.ts";
import { createEventParser, type OpencodeEvent } from "./event-parser.ts";
import { type OpencodeAddress, openAnswer } from "./http-client.ts";

export interface OpencodeEvents {
  /** Rejects when the stream ends, breaks or cannot be read: from then on nothing is known of any session. */
  readonly lost: Promise<never>;
  close(): void;
}

/**
 * Follows everything that OpenCode does, in all directories. Resolves once the stream is open, so that no event of
 * what is asked for afterwards is missed.
 * @throws `bridges.opencode-events`
 */
export async function openEvents(
  address: OpencodeAddress,
  accept: (event: OpencodeEvent) => void,
): Promise<OpencodeEvents> {
  const control = new AbortController();
  const opened = Promise.withResolvers<void>();
  const follow = async (): Promise<never> => {
    const answer = await openAnswer(address, { method: "GET", path: "/global/event" }, control.signal);
    if (answer.statusCode !== 200) throw toLost(`status ${answer.statusCode}`);
    const parse = createEventParser();
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      for (const event of parse(chunk)) {
        if (event.type === "server.connected") opened.resolve();
        accept(event);
      }
    }
    throw toLost("its end");
  };
  const lost = follow().catch((error: Error) => {
    throw error.name === "SealpackError" ? error : toLost(error.message, error);
  });
  lost.catch(() => {});
  const timer = setTimeout(() => opened.reject(toLost("nothing within 10 s")), 10_000);
  try {
    await Promise.race([opened.promise, lost]);
  } catch (error) {
    control.abort();
    throw error;
  } finally {
    clearTimeout(timer);
  }
  return { lost, close: () => control.abort() };
}

function toLost(got: string, cause?: unknown): Error {
  const expected = "an event stream for as long as sessions are open";
  return bridgesError("bridges.opencode-events", {
    subject: "OpenCode: /global/event",
    expected,
    got,
    cause,
  });
}
