import { checkRequest, type Expectation } from "./check-request.ts";
import { lastText } from "./last-text.ts";
import type { MockProtocol } from "./mock-server.ts";
import type { Wire } from "./reply.ts";

/** Anthropic's streamed messages, as Claude Code asks for them. */
export function anthropicMessages(model: string, key: string): MockProtocol {
  const messages: Expectation = {
    method: "POST",
    path: "/v1/messages",
    queries: ["beta=true"],
    headers: [
      "accept",
      "user-agent",
      "anthropic-beta",
      "anthropic-dangerous-direct-browser-access",
      "x-app",
      "x-claude-code-session-id",
      ...[
        "arch",
        "lang",
        "os",
        "package-version",
        "retry-count",
        "runtime",
        "runtime-version",
        "timeout",
      ].map((name) => `x-stainless-${name}`),
    ],
    exact: { "x-api-key": key, "anthropic-version": "2023-06-01", "content-type": "application/json" },
    keys: [
      "model",
      "messages",
      "system",
      "tools",
      "metadata",
      "max_tokens",
      "thinking",
      "temperature",
      "context_management",
      "output_config",
      "stream",
    ],
    values: { model, stream: true },
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
    check: (request) => checkRequest(request, [messages, hello]),
    fixed: ({ path }) => (path === hello.path ? { status: 200, body: {} } : undefined),
    scripted: ({ body }) => Object.hasOwn(body as object, "tools"),
    said: ({ body }) => lastText((body as { readonly messages?: unknown }).messages),
    wire: createWire(model),
  };
}

function createWire(model: string): Wire {
  const event = (type: string, value: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...value })}\n\n`;
  const begin = (block: object): string => {
    const usage = { input_tokens: 10, output_tokens: 1 };
    const head = {
      id: "msg_mock",
      type: "message",
      role: "assistant",
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    };
    return (
      event("message_start", { message: head }) +
      event("content_block_start", { index: 0, content_block: block })
    );
  };
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
