import { expect, test } from "vitest";
import { parseRequest } from "../../../src/bridges/acpx-sidecar/parse-request.ts";

const profile = { agent: "claude", package: "p", version: "1.0.0", command: "c", digest: "sha256:0" };
const open = { id: 1, op: "open", profile, cwd: "/w", session: "s", mode: "oneshot" };

test.each<[string, object]>([
  ["hello", { id: 1, op: "hello" }],
  ["open", open],
  ["open with a model", { ...open, model: "m" }],
  ["prompt", { id: 2, op: "prompt", text: "" }],
  [
    "prompt with an attachment",
    { id: 2, op: "prompt", text: "x", attachments: [{ mediaType: "image/png", data: "AA==" }] },
  ],
  ["permit", { id: 3, op: "permit", request: 1, outcome: "allow_once" }],
  ["configure", { id: 4, op: "configure", key: "model", value: "m" }],
])("%s is taken", (_, request) => {
  expect(parseRequest(JSON.stringify(request))).toEqual(request);
});

test.each<[string, unknown, number | null]>([
  ["no JSON", undefined, null],
  ["a list", [], null],
  ["no id", { op: "hello" }, null],
  ["an id of 0", { id: 0, op: "hello" }, null],
  ["an id that is text", { id: "1", op: "hello" }, null],
  ["an unknown op", { id: 1, op: "sudo" }, 1],
  ["an op of the prototype", { id: 1, op: "constructor" }, 1],
  ["an unknown key", { id: 1, op: "hello", agent: "npx" }, 1],
  ["a command beside the profile", { ...open, command: ["sh"] }, 1],
  ["a missing key", { id: 1, op: "prompt" }, 1],
  ["a relative directory", { ...open, cwd: "w" }, 1],
  ["a NUL in the directory", { ...open, cwd: "/w\0" }, 1],
  ["an unknown mode", { ...open, mode: "forever" }, 1],
  ["a profile with more", { ...open, profile: { ...profile, path: "/bin/sh" } }, 1],
  ["a profile with less", { ...open, profile: { ...profile, digest: undefined } }, 1],
  ["a profile of numbers", { ...open, profile: { ...profile, version: 1 } }, 1],
  ["an unknown outcome", { id: 1, op: "permit", request: 1, outcome: "yes" }, 1],
  [
    "an attachment with more",
    { id: 1, op: "prompt", text: "", attachments: [{ mediaType: "a", data: "b", path: "c" }] },
    1,
  ],
])("%s is refused, with the id where there is one", (_, request, id) => {
  const line = request === undefined ? "{no" : JSON.stringify(request);
  expect(() => parseRequest(line)).toThrow(
    expect.objectContaining({ code: "bridges.frame-malformed", details: { id } }),
  );
});
