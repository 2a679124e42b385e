import { expect, onTestFinished, test } from "vitest";
import { assertExpected } from "../../src/qualify/assert-expected.ts";
import { anthropicMessages } from "../../src/qualify/mocks/anthropic-messages.ts";
import { type MockProtocol, startMockServer } from "../../src/qualify/mocks/mock-server.ts";
import { openAiChat } from "../../src/qualify/mocks/openai-chat.ts";
import { openAiResponses } from "../../src/qualify/mocks/openai-responses.ts";

interface Sample {
  readonly protocol: MockProtocol;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Record<string, unknown>;
}

const user = [{ role: "user", content: "one two" }];
const json = { "content-type": "application/json" };
const samples: readonly (readonly [string, Sample])[] = [
  [
    "chat",
    {
      protocol: openAiChat("m", "k"),
      path: "/v1/chat/completions",
      headers: { authorization: "Bearer k", ...json },
      body: { model: "m", stream: true, messages: user, tools: [] },
    },
  ],
  [
    "responses",
    {
      protocol: openAiResponses("m", "k"),
      path: "/v1/responses",
      headers: { authorization: "Bearer k", accept: "text/event-stream", ...json },
      body: { model: "m", stream: true, store: false, input: user },
    },
  ],
  [
    "messages",
    {
      protocol: anthropicMessages("m", "k"),
      path: "/v1/messages?beta=true",
      headers: { "x-api-key": "k", "anthropic-version": "2023-06-01", ...json },
      body: { model: "m", stream: true, messages: user, tools: [] },
    },
  ],
];

/** With Node's own client, since fetch adds headers that no CLI sends. */
async function post({ protocol, path, headers, body }: Sample, method = "POST") {
  const mock = await startMockServer(protocol);
  onTestFinished(() => mock.close());
  const { request } = await import("node:http");
  const answer = Promise.withResolvers<{ status: number; text: string }>();
  const sent = request(`${mock.url}${path}`, { method, headers, agent: false }, (response) => {
    let text = "";
    response.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    response.on("end", () => answer.resolve({ status: response.statusCode ?? 0, text }));
    response.on("error", answer.reject);
  });
  sent.on("error", answer.reject);
  sent.end(JSON.stringify(body));
  return { ...(await answer.promise), mock };
}

test.each(samples)("%s: what is expected gets its own words as a stream", async (_, sample) => {
  const { status, text, mock } = await post(sample);
  expect(status).toBe(200);
  expect(mock.served()).toBe(1);
  for (const word of ["one ", "two"]) expect(text).toContain(JSON.stringify(word));
  for (const event of text.trim().split("\n\n"))
    expect(event).toMatch(/^(event: \S+\n)?data: (\{.*\}|\[DONE\])$/);
  assertExpected(mock);
});

test.each<[string, (sample: Sample) => Partial<Sample> & { method?: string }]>([
  ["another route", () => ({ path: "/v1/models" })],
  ["another method", () => ({ method: "PUT" })],
  ["a query", ({ path }) => ({ path: `${path}${path.includes("?") ? "&" : "?"}x=1` })],
  [
    "another key",
    ({ headers }) => ({ headers: { ...headers, authorization: "Bearer other", "x-api-key": "other" } }),
  ],
  ["an unknown header", ({ headers }) => ({ headers: { ...headers, "x-telemetry": "1" } })],
  ["another model", ({ body }) => ({ body: { ...body, model: "expensive" } })],
  ["an unknown key of the body", ({ body }) => ({ body: { ...body, telemetry: {} } })],
])("%s fails the run, whatever the protocol", async (_, change) => {
  for (const [, sample] of samples) {
    const { method, ...rest } = change(sample);
    const { status, mock } = await post({ ...sample, ...rest }, method);
    expect(status).toBe(400);
    expect(() => assertExpected(mock)).toThrow(expect.objectContaining({ code: "qualify.request" }));
    expect(mock.served()).toBe(0);
  }
});
