import { checkRequest, type Expectation } from "./check-request.ts";
import { lastText } from "./last-text.ts";
import type { MockProtocol, MockRequest } from "./mock-server.ts";
import type { Wire } from "./reply.ts";

const headers = [
  "accept",
  "user-agent",
  "anthropic-beta",
  "anthropic-dangerous-direct-browser-access",
  "x-app",
  "x-claude-code-session-id",
  ...["arch", "lang", "os", "package-version", "retry-count", "runtime", "runtime-version", "timeout"].map(
    (name) => `x-stainless-${name}`,
  ),
];
const promptKeys = [
  "messages",
  "system",
  "tools",
  "metadata",
  "thinking",
  "temperature",
  "context_management",
  "output_config",
];

/** Anthropic's streamed messages, as Claude Code asks for them, and what it asks for beside them. */
export function anthropicMessages(model: string, key: string): MockProtocol {
  const exact = { "x-api-key": key, "anthropic-version": "2023-06-01", "content-type": "application/json" };
  const post = { method: "POST", queries: ["beta=true"], headers, exact };
  const messages = { ...post, path: "/v1/messages" };
  const streamed: Expectation = {
    ...messages,
    keys: ["model", "max_tokens", "stream", ...promptKeys],
    values: { model, stream: true },
  };
  // One token of an answer, to learn the account's limits; when a session is resumed.
  const probe: Expectation = {
    ...messages,
    keys: ["model", "max_tokens", "messages", "system", "metadata"],
    values: { model, max_tokens: 1 },
  };
  const count: Expectation = {
    ...post,
    path: "/v1/messages/count_tokens",
    keys: ["model", "messages", "system", "tools", "thinking"],
    values: { model },
  };
  const hello: Expectation = {
    method: "HEAD",
    path: "/api/hello",
    queries: [""],
    headers: ["accept", "user-agent"],
    exact: {},
    keys: [],
    values: {},
  };
  return {
    check: (request) => checkRequest(request, [isStreamed(request) ? streamed : probe, count, hello]),
    fixed: (request) => {
      if (request.path === hello.path) return { status: 200, body: {} };
      if (request.path === count.path) return { status: 200, body: { input_tokens: 10 } };
      return isStreamed(request)
        ? undefined
        : { status: 200, body: toMessage(model, [{ type: "text", text: "H" }]) };
    },
    scripted: ({ body }) => Object.hasOwn(body as object, "tools"),
    said: ({ body }) => lastText((body as { readonly messages?: unknown }).messages),
    wire: createWire(model),
  };
}

function isStreamed({ body }: MockRequest): boolean {
  return (body as { readonly stream?: unknown } | undefined)?.stream === true;
}

function toMessage(model: string, content: readonly object[]): object {
  const usage = { input_tokens: 10, output_tokens: 1 };
  const ended = content.length === 0 ? null : "max_tokens";
  return {
    id: "msg_mock",
    type: "message",
    role: "assistant",
    model,
    content,
    stop_reason: ended,
    stop_sequence: null,
    usage,
  };
}

function createWire(model: string): Wire {
  const event = (type: string, value: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...value })}\n\n`;
  const begin = (block: object): string =>
    event("message_start", { message: toMessage(model, []) }) +
    event("content_block_start", { index: 0, content_block: block });
  const delta = (value: object): string => event("content_block_delta", { index: 0, delta: value });
  const end = (reason: string): string =>
    event("content_block_stop", { index: 0 }) +
    event("message_delta", {
      delta: { stop_reason: reason, stop_sequence: null },
      usage: { output_tokens: 4 },
    }) +
    event("message_stop", {});
  return {
    start: () => begin({ type: "text", text: "" }),
    piece: (text) => delta({ type: "text_delta", text }),
    end: () => end("end_turn"),
    tool: (name, input) =>
      begin({ type: "tool_use", id: "toolu_mock", name, input: {} }) +
      delta({ type: "input_json_delta", partial_json: JSON.stringify(input) }) +
      end("tool_use"),
    malformed: "event: content_block_delta\ndata: {not JSON\n\n",
    error: (status) => ({ type: "error", error: { type: "api_error", message: `mock error ${status}` } }),
  };
}
