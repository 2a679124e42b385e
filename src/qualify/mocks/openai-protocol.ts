import { checkRequest, type Expectation } from "./check-request.ts";
import type { MockProtocol } from "./mock-server.ts";
import type { Wire } from "./reply.ts";

/** OpenAI-compatible streamed chat completions, as OpenCode's provider `@ai-sdk/openai-compatible` asks for them. */
export function openAiProtocol(model: string, key: string): MockProtocol {
  const expected: Expectation = {
    method: "POST",
    path: "/v1/chat/completions",
    queries: [""],
    headers: ["accept", "user-agent", "x-session-affinity", "x-session-id", "x-parent-session-id"],
    exact: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    keys: ["model", "max_tokens", "messages", "tools", "tool_choice", "stream", "stream_options"],
    values: { model, stream: true },
  };
  return {
    check: (request) => {
      if (request.method === expected.method && request.path === expected.path)
        return checkRequest(request, expected);
      return [
        {
          request: `${request.method} ${request.path}`,
          expected: `${expected.method} ${expected.path}`,
          got: "another route",
        },
      ];
    },
    // OpenCode has a title made for each new session, in a request of its own that offers no tools.
    scripted: ({ body }) => Object.hasOwn(body as object, "tools"),
    wire: createWire(model),
  };
}

function createWire(model: string): Wire {
  const base = { id: "chatcmpl-mock", object: "chat.completion.chunk", created: 1, model };
  const event = (value: object): string => `data: ${JSON.stringify({ ...base, ...value })}\n\n`;
  const delta = (content: object, reason: string | null = null): string =>
    event({ choices: [{ index: 0, delta: content, finish_reason: reason }] });
  const usage = { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 };
  return {
    start: () => delta({ role: "assistant", content: "" }),
    piece: (content) => delta({ content }),
    tool: (name, input) => {
      const call = {
        index: 0,
        id: "call_mock",
        type: "function",
        function: { name, arguments: JSON.stringify(input) },
      };
      return delta({ tool_calls: [call] });
    },
    end: (reason) =>
      `${delta({}, reason === "tool" ? "tool_calls" : "stop")}${event({ choices: [], usage })}data: [DONE]\n\n`,
    malformed: 'data: {"id": not JSON\n\n',
    error: (status) =>
      JSON.stringify({ error: { message: `mock error ${status}`, type: "server_error", code: null } }),
  };
}
