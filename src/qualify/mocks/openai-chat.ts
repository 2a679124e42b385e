import { checkRequest } from "./check-request.ts";
import { lastText } from "./last-text.ts";
import type { MockProtocol } from "./mock-server.ts";
import type { Wire } from "./reply.ts";

/** OpenAI-compatible streamed chat completions, as OpenCode's provider `@ai-sdk/openai-compatible` asks for them. */
export function openAiChat(model: string, key: string): MockProtocol {
  const route = {
    method: "POST",
    path: "/v1/chat/completions",
    queries: [""],
    headers: ["accept", "user-agent", "x-session-affinity", "x-session-id", "x-parent-session-id"],
    exact: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    keys: ["model", "max_tokens", "messages", "tools", "tool_choice", "stream", "stream_options"],
    values: { model, stream: true },
  };
  return {
    check: (request) => checkRequest(request, [route]),
    // OpenCode has a title made for each new session, in a request of its own that offers no tools.
    scripted: ({ body }) => Object.hasOwn(body as object, "tools"),
    said: ({ body }) => lastText((body as { readonly messages?: unknown }).messages),
    wire: createWire(model),
  };
}

function createWire(model: string): Wire {
  const base = { id: "chatcmpl-mock", object: "chat.completion.chunk", created: 1, model };
  const event = (value: object): string => `data: ${JSON.stringify({ ...base, ...value })}\n\n`;
  const delta = (content: object, reason: string | null = null): string =>
    event({ choices: [{ index: 0, delta: content, finish_reason: reason }] });
  const usage = { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 };
  const start = delta({ role: "assistant", content: "" });
  const end = (reason: string): string =>
    `${delta({}, reason)}${event({ choices: [], usage })}data: [DONE]\n\n`;
  return {
    start: () => start,
    piece: (content) => delta({ content }),
    end: () => end("stop"),
    tool: (name, input) => {
      const call = { name, arguments: JSON.stringify(input) };
      return (
        start +
        delta({ tool_calls: [{ index: 0, id: "call_mock", type: "function", function: call }] }) +
        end("tool_calls")
      );
    },
    malformed: 'data: {"id": not JSON\n\n',
    error: (status) => ({ error: { message: `mock error ${status}`, type: "server_error", code: null } }),
  };
}
