import { checkRequest } from "./check-request.ts";
import { lastText } from "./last-text.ts";
import type { MockProtocol } from "./mock-server.ts";
import type { Wire } from "./reply.ts";

/** OpenAI's streamed responses, as Codex asks a provider of its configuration for them. */
export function openAiResponses(model: string, key: string): MockProtocol {
  const route = {
    method: "POST",
    path: "/v1/responses",
    queries: [""],
    headers: [
      "user-agent",
      "originator",
      "session-id",
      "session_id",
      "thread-id",
      "conversation_id",
      "version",
      "x-client-request-id",
      "x-codex-beta-features",
      "x-codex-installation-id",
      "x-codex-turn-metadata",
      "x-codex-window-id",
      "x-openai-subagent",
    ],
    exact: {
      accept: "text/event-stream",
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
    },
    keys: [
      "model",
      "instructions",
      "input",
      "tools",
      "tool_choice",
      "parallel_tool_calls",
      "reasoning",
      "store",
      "stream",
      "include",
      "prompt_cache_key",
      "client_metadata",
      "text",
    ],
    values: { model, stream: true, store: false },
  };
  return {
    check: (request) => checkRequest(request, [route]),
    scripted: () => true,
    said: ({ body }) => lastText((body as { readonly input?: unknown }).input),
    wire: createWire(),
  };
}

function createWire(): Wire {
  const event = (type: string, value: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...value })}\n\n`;
  const usage = {
    input_tokens: 10,
    input_tokens_details: null,
    output_tokens: 4,
    output_tokens_details: null,
    total_tokens: 14,
  };
  const done = (item: object): string => event("response.output_item.done", { output_index: 0, item });
  const created = event("response.created", { response: { id: "resp_mock" } });
  const completed = event("response.completed", { response: { id: "resp_mock", usage } });
  const message = (text: string): object => ({
    type: "message",
    role: "assistant",
    id: "msg_mock",
    content: text === "" ? [] : [{ type: "output_text", text }],
  });
  return {
    start: () => created + event("response.output_item.added", { output_index: 0, item: message("") }),
    piece: (delta) =>
      event("response.output_text.delta", { item_id: "msg_mock", output_index: 0, content_index: 0, delta }),
    end: (text) => done(message(text)) + completed,
    tool: (name, input) =>
      created +
      done({ type: "function_call", call_id: "call_mock", name, arguments: JSON.stringify(input) }) +
      completed,
    malformed: "event: response.output_text.delta\ndata: {not JSON\n\n",
    error: (status) => ({ error: { message: `mock error ${status}`, type: "server_error", code: null } }),
  };
}
