import type { PromptResponse } from "@agentclientprotocol/sdk";
import type { OpencodeEvent } from "../bridges/opencode-proxy/event-parser.ts";
import { asRecord, createEventParser } from "../bridges/opencode-proxy/event-parser.ts";
import { openAnswer, sendRequest } from "../bridges/opencode-proxy/http-client.ts";
import { type OpencodeEvents, openEvents } from "../bridges/opencode-proxy/open-events.ts";
import { type OpencodeSessions, openSessions } from "../bridges/opencode-proxy/opencode-sessions.ts";
import { createTurn, type TurnLimits } from "../bridges/opencode-proxy/run-turn.ts";
import { type OpencodeServer, startOpencode } from "../bridges/opencode-proxy/start-opencode.ts";
import { isSealpackError } from "../errors.ts";
import { assertExpected } from "./assert-expected.ts";
import { qualifyError } from "./errors.ts";
import { type MockServer, startMockServer } from "./mocks/mock-server.ts";
import { openAiChat } from "./mocks/openai-chat.ts";
import type { Reply } from "./mocks/reply.ts";
import { opencodeModel, opencodeModelName, printOpencodeConfig } from "./opencode-config.ts";
import { type CheckReport, createChecklist, type SubjectReport, toSubjectReport } from "./report.ts";
import { openScratch, type Scratch } from "./scratch.ts";
import { assertAnswer, settle, within } from "./within.ts";

export interface OpencodeSubject {
  readonly executable: string;
  readonly version: string;
  readonly digests: Readonly<Record<string, string>>;
  /** Milliseconds that one step may take; OpenCode's first prompt takes seconds. */
  readonly time: number;
  readonly onCheck?: (check: CheckReport) => void;
}

const key = "mock-key-of-nobody";

/** Q1: the real executable, over its own HTTP interface, against a mock provider. */
export async function qualifyOpencode(subject: OpencodeSubject): Promise<SubjectReport> {
  const list = createChecklist(subject.onCheck);
  const scratch = await openScratch();
  const mock = await startMockServer(openAiChat(opencodeModel.modelID, key));
  try {
    const server = await list.check("starts, healthy, in its version, behind its password", () =>
      startServer(subject, scratch, mock),
    );
    const bench = await list.check("opens its event stream", () =>
      openBench(server as OpencodeServer, scratch, subject.time),
    );
    const there = bench as Bench;
    await list.check("/event begins with server.connected", () => checkEventRoute(there, subject.time));
    await list.check("creates and gets a session", async () =>
      there.sessions.get(await there.create(), scratch.work),
    );
    await list.check("runs an async prompt, with its events in order", () => checkPrompt(there, mock));
    await list.check("runs two sessions at once, each with its own words", () => checkTwo(there));
    await list.check("aborts a prompt", () => checkAbort(there, mock));
    for (const [name, reply, code] of failures) {
      await list.check(`ends in ${code} when the provider ${name}`, () =>
        checkFailure(there, mock, reply, code),
      );
    }
    await list.check("deletes a session", () => checkDelete(there));
    await list.check("ends with its whole process group and its port", () => checkStop(there, scratch));
  } finally {
    await list.always("asks the provider only for what is expected", () => assertExpected(mock));
    await list.always(
      "leaves nothing outside its directory and asks for no other host",
      scratch.assertContained,
    );
    await scratch.end();
    await mock.close();
  }
  return toSubjectReport(
    { name: "opencode", version: subject.version, digests: subject.digests, model: opencodeModelName },
    list,
  );
}

const pieces = ["Half ", "an "];
const failures: readonly (readonly [string, Reply, string])[] = [
  ["stalls", { kind: "stall", pieces }, "bridges.provider-stalled"],
  ["answers 500", { kind: "status", status: 500 }, "bridges.provider-retries"],
  ["cuts the stream", { kind: "cut", pieces }, "bridges.provider-retries"],
  ["sends events that are not JSON", { kind: "malformed", pieces }, "bridges.provider-failed"],
];

interface Bench {
  readonly server: OpencodeServer;
  readonly sessions: OpencodeSessions;
  readonly events: OpencodeEvents;
  readonly seen: OpencodeEvent[];
  readonly time: number;
  readonly directory: string;
  create(): Promise<string>;
  /** One prompt to its end, as the bridge would run it. */
  ask(
    session: string,
    text: string,
    limits?: Partial<TurnLimits>,
  ): Promise<{ response: PromptResponse; text: string }>;
}

function startServer(subject: OpencodeSubject, scratch: Scratch, mock: MockServer): Promise<OpencodeServer> {
  const { executable, version, time } = subject;
  const environment = { ...scratch.env, OPENCODE_CONFIG_CONTENT: printOpencodeConfig(mock.url, key) };
  return startOpencode(
    { executable, version, state: scratch.state, environment, startTimeout: time },
    scratch.guardian,
  );
}

async function openBench(server: OpencodeServer, scratch: Scratch, time: number): Promise<Bench> {
  const seen: OpencodeEvent[] = [];
  const listeners = new Set<(event: OpencodeEvent) => void>();
  const events = await openEvents(server.address, (event) => {
    seen.push(event);
    for (const listener of listeners) listener(event);
  });
  const sessions = openSessions(server.address);
  return {
    server,
    sessions,
    events,
    seen,
    time,
    directory: scratch.work,
    create: () => sessions.create(scratch.work),
    ask: async (session, text, limits = {}) => {
      const said: string[] = [];
      const turn = createTurn({ stall: time, retries: 0, ...limits }, (update) => {
        if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
          said.push(update.content.text);
      });
      const listener = (event: OpencodeEvent): void => {
        if (sessionOf(event) === session) turn.accept(event);
      };
      listeners.add(listener);
      try {
        await sessions.prompt(session, scratch.work, [{ type: "text", text }], opencodeModel);
        const response = await within(
          "prompt",
          2 * time,
          Promise.race([turn.done, server.lost, events.lost]),
        );
        return { response, text: said.join("") };
      } finally {
        listeners.delete(listener);
        turn.dispose();
        await sessions.abort(session, scratch.work).catch(() => {});
      }
    },
  };
}

function sessionOf({ properties }: OpencodeEvent): unknown {
  return properties.sessionID ?? asRecord(properties.part)?.sessionID ?? asRecord(properties.info)?.sessionID;
}

async function checkEventRoute({ server }: Bench, time: number): Promise<void> {
  const control = new AbortController();
  const answer = await openAnswer(server.address, { method: "GET", path: "/event" }, control.signal);
  const read = async (): Promise<string> => {
    const parse = createEventParser();
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      const [first] = parse(chunk);
      if (first !== undefined) return first.type;
    }
    return "nothing";
  };
  try {
    assertAnswer("/event", "server.connected", await within("/event", time, read()));
  } finally {
    control.abort();
  }
}

/** The order in which one prompt must show: at work, the answer's text in pieces, idle. */
async function checkPrompt(bench: Bench, mock: MockServer): Promise<void> {
  const session = await bench.create();
  const before = mock.served();
  const { response, text } = await bench.ask(session, "one two three");
  assertAnswer("text", "one two three", text);
  assertAnswer("stop reason", "end_turn", response.stopReason);
  assertAnswer("completions", 1, mock.served() - before);
  const steps = bench.seen.filter((event) => sessionOf(event) === session).map(toStep);
  const found = ["busy", "delta", "idle"].map((step) => steps.indexOf(step));
  const sorted = [...found].sort((a, b) => a - b);
  if (found.includes(-1) || found.join() !== sorted.join()) {
    throw qualifyError("qualify.answer", {
      subject: "events",
      expected: "busy, delta, idle",
      got: steps.join(", "),
    });
  }
}

function toStep({ type, properties }: OpencodeEvent): string {
  if (type === "message.part.delta") return "delta";
  return type === "session.status" ? String(asRecord(properties.status)?.type) : type;
}

async function checkTwo(bench: Bench): Promise<void> {
  const words = ["alpha beta gamma", "one more of these"];
  const answers = await Promise.all(words.map(async (text) => bench.ask(await bench.create(), text)));
  assertAnswer(
    "two sessions",
    words,
    answers.map(({ text }) => text),
  );
}

async function checkAbort(bench: Bench, mock: MockServer): Promise<void> {
  const session = await bench.create();
  mock.use([{ kind: "stall", pieces }]);
  const before = mock.served();
  const asked = bench.ask(session, "to be aborted").catch((error: unknown) => error);
  await settle(bench.time, mock.served, (served) => served > before);
  await bench.sessions.abort(session, bench.directory);
  const error = await within("abort", bench.time, asked);
  const got = isSealpackError(error) ? error.message : "an answer";
  mock.use([{ kind: "echo" }]);
  if (got.includes("MessageAbortedError")) return;
  throw qualifyError("qualify.answer", { subject: "abort", expected: "MessageAbortedError", got });
}

async function checkFailure(bench: Bench, mock: MockServer, reply: Reply, code: string): Promise<void> {
  const session = await bench.create();
  mock.use([reply]);
  const limits = reply.kind === "stall" ? { stall: 3000 } : {};
  const outcome = await bench.ask(session, "to fail", limits).catch((error: unknown) => error);
  mock.use([{ kind: "echo" }]);
  assertAnswer("outcome", code, isSealpackError(outcome) ? outcome.code : outcome);
}

async function checkDelete({ sessions, server, create, directory }: Bench): Promise<void> {
  const session = await create();
  await sessions.delete(session, directory);
  const { status } = await sendRequest(server.address, { method: "GET", path: `/session/${session}` });
  assertAnswer("a deleted session", 404, status);
}

async function checkStop({ server, events }: Bench, scratch: Scratch): Promise<void> {
  events.close();
  await server.stop(5000);
  await scratch.assertRetired();
  const answer = await sendRequest(server.address, {
    method: "GET",
    path: "/global/health",
    timeout: 2000,
  }).catch(() => undefined);
  if (answer !== undefined) {
    throw qualifyError("qualify.left-behind", {
      subject: "port",
      expected: "closed",
      got: `status ${answer.status}`,
    });
  }
}
