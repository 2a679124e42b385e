import { expect, test } from "vitest";
import {
  frameTypes,
  maxControl,
  maxData,
  parseCredit,
  parseFrame,
  parseJsonPayload,
  parseStream,
  printCredit,
  printFrame,
  printStreamFrame,
} from "../../../src/bridges/runnerd/frame.ts";

test("every type comes back as it went", () => {
  for (const type of Object.keys(frameTypes) as (keyof typeof frameTypes)[]) {
    const frame = { type, run: 0xfedcba98, payload: Buffer.from("payload") };
    expect(parseFrame(printFrame(type, frame.run, frame.payload))).toEqual(frame);
  }
});

test("the bytes are those of docs/runnerd.md", () => {
  expect(printStreamFrame("data", 258, "stderr", Buffer.from("hi")).toString("hex")).toBe("0400000102026869");
  expect(printCredit(1, "stdout", 65_536).toString("hex")).toBe("06000000010100010000");
});

test.each<[string, () => unknown, string]>([
  ["nothing", () => parseFrame(Buffer.alloc(0)), "bridges.frame-malformed"],
  ["four bytes", () => parseFrame(Buffer.from([1, 0, 0, 0])), "bridges.frame-malformed"],
  ["type 0", () => parseFrame(Buffer.from([0, 0, 0, 0, 0])), "bridges.frame-malformed"],
  ["type 10", () => parseFrame(Buffer.from([10, 0, 0, 0, 0])), "bridges.frame-malformed"],
  [
    "data that is too large",
    () => parseFrame(printFrame("data", 1, Buffer.alloc(maxData + 2))),
    "bridges.frame-too-large",
  ],
  [
    "control that is too large",
    () => parseFrame(printFrame("start", 1, Buffer.alloc(maxControl + 1))),
    "bridges.frame-too-large",
  ],
  [
    "data without a stream",
    () => parseStream(parseFrame(printFrame("data", 1, Buffer.alloc(0)))),
    "bridges.frame-malformed",
  ],
  [
    "a fourth stream",
    () => parseStream(parseFrame(printFrame("data", 1, Buffer.from([3])))),
    "bridges.frame-malformed",
  ],
  [
    "credit of 0",
    () => parseCredit(parseFrame(printFrame("credit", 1, Buffer.from([1, 0, 0, 0, 0])))),
    "bridges.frame-malformed",
  ],
  [
    "credit of three bytes",
    () => parseCredit(parseFrame(printFrame("credit", 1, Buffer.from([1, 0, 0, 1])))),
    "bridges.frame-malformed",
  ],
  [
    "a payload that is no JSON",
    () => parseJsonPayload(parseFrame(printFrame("start", 1, Buffer.from("{"))), []),
    "bridges.frame-malformed",
  ],
  [
    "a payload that is a list",
    () => parseJsonPayload(parseFrame(printFrame("start", 1, Buffer.from("[]"))), []),
    "bridges.frame-malformed",
  ],
  [
    "an unknown key",
    () => parseJsonPayload(parseFrame(printFrame("start", 1, Buffer.from('{"a":1}'))), ["b"]),
    "bridges.frame-malformed",
  ],
])("%s is refused by name", (_, parse, code) => {
  expect(parse).toThrow(expect.objectContaining({ code }));
});

test("the largest frames are taken", () => {
  expect(parseFrame(printFrame("data", 1, Buffer.alloc(maxData + 1))).payload.length).toBe(maxData + 1);
  expect(parseFrame(printFrame("start", 1, Buffer.alloc(maxControl))).payload.length).toBe(maxControl);
});
