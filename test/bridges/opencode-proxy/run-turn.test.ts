import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { OpencodeEvent } from "../../../src/bridges/opencode-proxy/event-parser.ts";
import { createTurn } from "../../../src/bridges/opencode-proxy/run-turn.ts";

const event = (type: string, properties: object): OpencodeEvent => ({ type, properties: { ...properties } });
const status = (type: string, more: object = {}) => event("session.status", { status: { type, ...more } });
const message = (finish?: string) =>
  event("message.updated", { info: { id: "m", role: "assistant", finish } });
const part = (id: string, facts: object) =>
  event("message.part.updated", { part: { id, messageID: "m", ...facts } });
const tool = (state: string) =>
  part("p", { type: "tool", callID: "c", tool: "bash", state: { status: state, input: {} } });
const idle = event("session.idle", {});

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const limits = { stall: 1000, retries: 2 };

test.each<[string, OpencodeEvent[], object]>([
  ["a complete answer", [status("busy"), message("stop"), idle], { stopReason: "end_turn" }],
  [
    "an answer that was too long",
    [status("busy"), message("length"), status("idle")],
    { stopReason: "max_tokens" },
  ],
  ["a refused answer", [status("busy"), message("content-filter"), idle], { stopReason: "refusal" }],
  ["an answer without an end", [status("busy"), message(), idle], { code: "bridges.provider-failed" }],
  ["no answer at all", [status("busy"), idle], { code: "bridges.provider-failed" }],
  [
    "an answer that broke off",
    [status("busy"), message("unknown"), idle],
    { code: "bridges.provider-failed" },
  ],
  [
    "an error, then idle",
    [status("busy"), event("session.error", { error: { name: "APIError", data: { message: "no" } } }), idle],
    { code: "bridges.provider-failed" },
  ],
  [
    "an error and nothing after it",
    [status("busy"), event("session.error", { error: { name: "X" } })],
    { code: "bridges.provider-failed" },
  ],
  [
    "an error before anything began",
    [event("session.error", { error: { name: "X" } })],
    { code: "bridges.provider-failed" },
  ],
  [
    "one attempt too many",
    [status("retry", { attempt: 3, message: "busy" })],
    { code: "bridges.provider-retries" },
  ],
  ["silence", [], { code: "bridges.provider-stalled" }],
  ["silence after a while", [status("busy"), message()], { code: "bridges.provider-stalled" }],
  [
    "the idle of an earlier prompt, then silence",
    [idle, status("idle")],
    { code: "bridges.provider-stalled" },
  ],
])("%s ends the turn", async (_, events, outcome) => {
  const turn = createTurn(limits, () => {});
  for (const one of events) turn.accept(one);
  const done = turn.done.catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(5000);
  expect(await done).toMatchObject(outcome);
});

test("attempts within the limit do not", async () => {
  const turn = createTurn(limits, () => {});
  for (const attempt of [1, 2]) turn.accept(status("retry", { attempt, message: "busy" }));
  for (const one of [message("stop"), idle]) turn.accept(one);
  expect(await turn.done).toMatchObject({ stopReason: "end_turn" });
});

test("nothing stalls while a tool works or a person is asked", async () => {
  const turn = createTurn(limits, () => {});
  const settled = vi.fn();
  turn.done.then(settled, settled);
  for (const one of [status("busy"), message(), tool("running")]) turn.accept(one);
  await vi.advanceTimersByTimeAsync(60_000);
  const person = Promise.withResolvers<string>();
  const waited = turn.wait(person.promise);
  turn.accept(tool("completed"));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(settled).not.toHaveBeenCalled();
  person.resolve("once");
  expect(await waited).toBe("once");
  await vi.advanceTimersByTimeAsync(1001);
  expect(settled).toHaveBeenCalledWith(expect.objectContaining({ code: "bridges.provider-stalled" }));
});

test.each<[string, OpencodeEvent[]]>([
  ["with OpenCode's word", [event("session.error", { error: { name: "MessageAbortedError" } }), idle]],
  ["without it", []],
])("a cancelled turn ends as cancelled %s", async (_, events) => {
  const turn = createTurn({ stall: 60_000, retries: 0 }, () => {});
  turn.accept(status("busy"));
  turn.cancel();
  for (const one of events) turn.accept(one);
  await vi.advanceTimersByTimeAsync(3001);
  expect(await turn.done).toEqual({ stopReason: "cancelled" });
});

test("text is shown once, in pieces or whole, thoughts apart, and not the user's own", () => {
  const shown: string[] = [];
  const turn = createTurn(limits, (update) => {
    if ("content" in update && update.content && "text" in update.content)
      shown.push(`${update.sessionUpdate} ${update.content.text}`);
  });
  const delta = (partID: string, text: string) =>
    event("message.part.delta", { partID, field: "text", delta: text });
  const user = event("message.updated", { info: { id: "u", role: "user" } });
  for (const one of [
    user,
    event("message.part.updated", { part: { id: "q", messageID: "u", type: "text", text: "asked" } }),
    message(),
    part("t", { type: "text", text: "" }),
    delta("t", "a"),
    delta("t", "b"),
    part("t", { type: "text", text: "abc" }),
    part("r", { type: "reasoning", text: "why" }),
    delta("unknown", "x"),
  ]) {
    turn.accept(one);
  }
  turn.dispose();
  expect(shown).toEqual([
    "agent_message_chunk a",
    "agent_message_chunk b",
    "agent_message_chunk c",
    "agent_thought_chunk why",
  ]);
});
