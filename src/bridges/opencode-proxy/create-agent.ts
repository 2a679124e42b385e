import {
  type AgentApp,
  type AgentContext,
  agent,
  type LoadSessionRequest,
  type McpServer,
  type NewSessionRequest,
  PROTOCOL_VERSION,
  type PromptRequest,
  type PromptResponse,
  RequestError,
} from "@agentclientprotocol/sdk";
import { isSealpackError } from "../../errors.ts";
import { bridgeVersion } from "../bridge-version.ts";
import { bridgesError } from "../errors.ts";
import { askPermission } from "./ask-permission.ts";
import { createTranslator } from "./create-translator.ts";
import { asRecord, type OpencodeEvent } from "./event-parser.ts";
import type { Model, OpencodeSessions } from "./opencode-sessions.ts";
import { createTurn, type Turn, type TurnLimits } from "./run-turn.ts";
import { toPromptParts } from "./to-prompt-parts.ts";

interface Session {
  readonly id: string;
  readonly directory: string;
  turn?: Turn;
}

export interface AgentOptions {
  readonly sessions: OpencodeSessions;
  readonly limits: TurnLimits;
  readonly model?: Model;
  /** Rejects when OpenCode or its event stream is gone. */
  readonly lost: Promise<never>;
}

export interface OpencodeAgent {
  readonly app: AgentApp;
  /** Everything that OpenCode reports, in order. */
  accept(event: OpencodeEvent): void;
}

/** The agent side of ACP, over an OpenCode that already runs. */
export function createAgent({ sessions, limits, model, lost }: AgentOptions): OpencodeAgent {
  const open = new Map<string, Session>();
  /** A session that a tool opened belongs to the one that the client knows. */
  const parents = new Map<string, string>();
  let client: AgentContext | undefined;

  const find = (id: string): Session => {
    const session = open.get(id);
    if (session !== undefined) return session;
    throw bridgesError("bridges.session-unknown", { subject: id, expected: "an open session", got: "none" });
  };
  const admit = async (id: string, directory: string, servers: readonly McpServer[]): Promise<Session> => {
    for (const server of servers) await sessions.addServer(directory, server);
    const session = { id, directory };
    open.set(id, session);
    return session;
  };
  const create = async ({ cwd, mcpServers }: NewSessionRequest) => {
    const id = await sessions.create(cwd);
    await admit(id, cwd, mcpServers);
    return { sessionId: id };
  };
  const load = async ({ sessionId, cwd, mcpServers }: LoadSessionRequest, to: AgentContext) => {
    await sessions.get(sessionId, cwd);
    await admit(sessionId, cwd, mcpServers);
    const translator = createTranslator(true);
    for (const event of toEvents(await sessions.messages(sessionId, cwd))) {
      for (const update of translator.translate(event))
        await to.notify("session/update", { sessionId, update });
    }
    return {};
  };
  const prompt = async (request: PromptRequest, to: AgentContext): Promise<PromptResponse> => {
    const session = find(request.sessionId);
    if (session.turn !== undefined) throw toBusy(session.id);
    const parts = toPromptParts(request.prompt);
    const { turn, shown } = openTurn(session, to);
    try {
      await sessions.prompt(session.id, session.directory, parts, model);
      return await Promise.race([turn.done, lost]);
    } catch (error) {
      await sessions.abort(session.id, session.directory).catch(() => {});
      throw error;
    } finally {
      turn.dispose();
      delete session.turn;
      await shown();
    }
  };
  /** Updates leave in order, each after the one before, and all of them before the answer. */
  const openTurn = (session: Session, to: AgentContext): { turn: Turn; shown: () => Promise<void> } => {
    let last: Promise<unknown> = Promise.resolve();
    const turn = createTurn(limits, (update) => {
      last = last.then(() => to.notify("session/update", { sessionId: session.id, update })).catch(() => {});
    });
    session.turn = turn;
    return { turn, shown: async () => void (await last) };
  };
  const cancel = async (id: string): Promise<void> => {
    const session = open.get(id);
    session?.turn?.cancel();
    if (session !== undefined) await sessions.abort(id, session.directory).catch(() => {});
  };
  const rootOf = (id: unknown): Session | undefined => {
    let found = String(id);
    for (let depth = 0; depth < 16 && parents.has(found); depth += 1) found = parents.get(found) ?? found;
    return open.get(found);
  };
  const settlePermission = async (asked: OpencodeEvent["properties"], directory: string): Promise<void> => {
    const session = rootOf(asked.sessionID);
    const turn = session?.turn;
    const answer =
      session === undefined || client === undefined ? undefined : askPermission(client, session.id, asked);
    const reply = answer === undefined ? "reject" : await (turn?.wait(answer) ?? answer);
    await sessions.reply(String(asked.id), directory, reply).catch(() => {});
  };
  const accept = (event: OpencodeEvent): void => {
    const { type, properties, directory = "" } = event;
    const info = asRecord(properties.info);
    if (type === "session.created" && typeof info?.parentID === "string")
      parents.set(String(info.id), info.parentID);
    if (type === "permission.asked") void settlePermission(properties, directory);
    // A question needs a person at OpenCode's own screen: nobody is there, and the tool must not wait for ever.
    if (type === "question.asked")
      void sessions.rejectQuestion(String(properties.id), directory).catch(() => {});
    open.get(sessionOf(event))?.turn?.accept(event);
  };
  const app = agent({ name: "opencode-app-server-proxy" })
    .onConnect((connection) => {
      client = connection.client;
    })
    .onRequest("initialize", () => initializeResponse)
    .onRequest("authenticate", () => ({}))
    .onRequest("session/new", ({ params }) => answer(create(params)))
    .onRequest("session/load", ({ params, client: to }) => answer(load(params, to)))
    .onRequest("session/prompt", ({ params, client: to }) => answer(prompt(params, to)))
    .onNotification("session/cancel", ({ params }) => cancel(params.sessionId))
    .onRequest("session/close", ({ params }) => answer(close(params.sessionId)))
    .onRequest("session/delete", ({ params }) => answer(remove(params.sessionId)));
  const close = async (id: string) => {
    find(id);
    await cancel(id);
    open.delete(id);
    return {};
  };
  const remove = async (id: string) => {
    const { directory } = find(id);
    await close(id);
    await sessions.delete(id, directory);
    return {};
  };
  return { app, accept };
}

const initializeResponse = {
  protocolVersion: PROTOCOL_VERSION,
  agentInfo: { name: "opencode-app-server-proxy", version: bridgeVersion },
  agentCapabilities: {
    loadSession: true,
    mcpCapabilities: { http: true, sse: true },
    promptCapabilities: { image: true, embeddedContext: true },
    sessionCapabilities: { close: {}, delete: {} },
  },
  authMethods: [],
};

/** Stored messages in the form in which they were once reported. */
function* toEvents(messages: readonly unknown[]): Generator<OpencodeEvent> {
  for (const message of messages) {
    const { info, parts } = asRecord(message) ?? {};
    yield { type: "message.updated", properties: { info } };
    for (const part of Array.isArray(parts) ? parts : [])
      yield { type: "message.part.updated", properties: { part } };
  }
}

function sessionOf({ properties }: OpencodeEvent): string {
  const inner = asRecord(properties.part) ?? asRecord(properties.info);
  return String(properties.sessionID ?? inner?.sessionID ?? "");
}

/** Our codes reach the client as data of the JSON-RPC error; anything else is a defect and stays an internal error. */
async function answer<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isSealpackError(error)) throw error;
    const code = error.exit === 2 ? -32602 : -32603;
    throw new RequestError(code, error.message, { code: error.code, remedy: error.remedy });
  }
}

function toBusy(id: string): Error {
  return bridgesError("bridges.session-busy", {
    subject: id,
    expected: "one prompt at a time",
    got: "a second one",
  });
}
