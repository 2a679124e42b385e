import { expect, test } from "vitest";
import { createEventParser } from "../../../src/bridges/opencode-proxy/event-parser.ts";

const event = { directory: "/w", payload: { type: "session.idle", properties: { sessionID: "ses_é" } } };
const parsed = { directory: "/w", type: "session.idle", properties: { sessionID: "ses_é" } };
const text = `: a comment\nid: 1\ndata: ${JSON.stringify(event)}\n\n`;

test.each([1, 2, 3, 7, 1000])("an event comes whole out of pieces of %i bytes", (size) => {
  const parse = createEventParser();
  const bytes = Buffer.from(text + text.replaceAll("\n", "\r\n"));
  const events = [];
  for (let at = 0; at < bytes.length; at += size) events.push(...parse(bytes.subarray(at, at + size)));
  expect(events).toEqual([parsed, parsed]);
});

test.each([
  [
    "lines of one event are joined",
    'data: {"type":\ndata: "a","properties":{}}\n\n',
    [{ type: "a", properties: {} }],
  ],
  ["no space after the colon", 'data:{"type":"a","properties":{}}\n\n', [{ type: "a", properties: {} }]],
  [
    "the plain form of /event",
    'data: {"type":"a","properties":{"b":1}}\n\n',
    [{ type: "a", properties: { b: 1 } }],
  ],
  ["a record without properties is no event", 'data: {"payload":{"type":"sync","data":{}}}\n\n', []],
  ["an unfinished event waits", 'data: {"type":"a"', []],
])("%s", (_, input, events) => {
  expect(createEventParser()(Buffer.from(input))).toEqual(events);
});

test.each([
  ["not JSON", "data: {no\n\n"],
  ["no type", 'data: {"payload":{"properties":{}}}\n\n'],
  ["a list", "data: []\n\n"],
])("%s is refused by name", (_, input) => {
  expect(() => createEventParser()(Buffer.from(input))).toThrow(
    expect.objectContaining({ code: "bridges.opencode-events" }),
  );
});

test("an event has a largest size", () => {
  const parse = createEventParser();
  const chunk = Buffer.from("data: ".padEnd(8 * 1024 * 1024, "x"));
  expect(() => {
    for (let count = 0; count < 5; count += 1) parse(chunk);
  }).toThrow(expect.objectContaining({ code: "bridges.opencode-events" }));
});
