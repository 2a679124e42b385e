import { StringDecoder } from "node:string_decoder";
import { bridgesError } from "../errors.ts";

/** What OpenCode reports. `directory` comes on `/global/event` only, and there not for events of the server itself. */
export interface OpencodeEvent {
  readonly directory?: string;
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

const eventLimit = 32 * 1024 * 1024;

/**
 * Takes a `text/event-stream` apart as it comes, in pieces of any size. Only `data` fields matter; comments, ids and
 * event names are skipped (HTML standard, server-sent events).
 */
export function createEventParser(): (chunk: Buffer) => readonly OpencodeEvent[] {
  const decoder = new StringDecoder("utf8");
  let pending = "";
  let data: string[] = [];
  return (chunk) => {
    const lines = (pending + decoder.write(chunk)).split(/\r\n|\n|\r(?!$)/);
    pending = lines.pop() ?? "";
    const events: OpencodeEvent[] = [];
    for (const line of lines) {
      if (line.startsWith("data:")) data.push(line.slice(line.startsWith("data: ") ? 6 : 5));
      if (line !== "" || data.length === 0) continue;
      events.push(...parseEvent(data.join("\n")));
      data = [];
    }
    if (pending.length + data.reduce((sum, line) => sum + line.length, 0) > eventLimit) {
      throw malformed(`an event of more than ${eventLimit} characters`);
    }
    return events;
  };
}

/**
 * One event. A payload without properties (OpenCode's own `sync` records) is no event for us.
 * @throws `bridges.opencode-events`
 */
export function parseEvent(text: string): readonly OpencodeEvent[] {
  const value = asRecord(parseJson(text));
  // `/event` has the event itself where `/global/event` has it below `payload`.
  const payload = asRecord(value?.payload) ?? value;
  if (value === undefined || payload === undefined || typeof payload.type !== "string") {
    throw malformed(JSON.stringify(text.slice(0, 200)));
  }
  const properties = asRecord(payload.properties);
  if (properties === undefined) return [];
  const directory = typeof value.directory === "string" ? { directory: value.directory } : {};
  return [{ ...directory, type: payload.type, properties }];
}

export function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function malformed(got: string): Error {
  return bridgesError("bridges.opencode-events", {
    subject: "OpenCode's events",
    expected: "JSON with a type",
    got,
  });
}
