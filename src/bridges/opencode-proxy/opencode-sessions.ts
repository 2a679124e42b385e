import type { McpServer } from "@agentclientprotocol/sdk";
import { bridgesError } from "../errors.ts";
import type { PermissionReply } from "./ask-permission.ts";
import { asRecord } from "./event-parser.ts";
import { askJson, type OpencodeAddress, sendRequest } from "./http-client.ts";
import type { PromptPart } from "./to-prompt-parts.ts";

export interface Model {
  readonly providerID: string;
  readonly modelID: string;
}

/** The calls of OpenCode's HTTP interface that the bridge makes, for one session's directory. */
export interface OpencodeSessions {
  create(directory: string): Promise<string>;
  /** @throws `bridges.session-unknown` */
  get(id: string, directory: string): Promise<void>;
  /** Everything that was said, oldest first, as `{ info, parts }`. */
  messages(id: string, directory: string): Promise<readonly unknown[]>;
  prompt(
    id: string,
    directory: string,
    parts: readonly PromptPart[],
    model: Model | undefined,
  ): Promise<void>;
  abort(id: string, directory: string): Promise<void>;
  delete(id: string, directory: string): Promise<void>;
  reply(request: string, directory: string, reply: PermissionReply): Promise<void>;
  rejectQuestion(request: string, directory: string): Promise<void>;
  addServer(directory: string, server: McpServer): Promise<void>;
}

export function openSessions(address: OpencodeAddress): OpencodeSessions {
  const ask = (method: "GET" | "POST" | "DELETE", path: string, directory: string, body?: unknown) =>
    askJson(address, { method, path: `${path}?directory=${encodeURIComponent(directory)}`, body });
  const at = (id: string, rest = ""): string => `/session/${encodeURIComponent(id)}${rest}`;
  return {
    create: async (directory) => {
      const session = asRecord(await ask("POST", "/session", directory, {}));
      if (typeof session?.id === "string") return session.id;
      throw toUnknown("a new session", JSON.stringify(session)?.slice(0, 200) ?? "nothing");
    },
    get: async (id, directory) => {
      const path = `${at(id)}?directory=${encodeURIComponent(directory)}`;
      const { status, text } = await sendRequest(address, { method: "GET", path });
      if (status !== 200) throw toUnknown(id, `status ${status}: ${text.slice(0, 200)}`);
    },
    messages: async (id, directory) => {
      const messages = await ask("GET", at(id, "/message"), directory);
      return Array.isArray(messages) ? messages : [];
    },
    prompt: async (id, directory, parts, model) => {
      const body = { parts, ...(model === undefined ? {} : { model }) };
      await ask("POST", at(id, "/prompt_async"), directory, body);
    },
    abort: async (id, directory) => void (await ask("POST", at(id, "/abort"), directory)),
    delete: async (id, directory) => void (await ask("DELETE", at(id), directory)),
    reply: async (request, directory, reply) =>
      void (await ask("POST", `/permission/${encodeURIComponent(request)}/reply`, directory, { reply })),
    rejectQuestion: async (request, directory) =>
      void (await ask("POST", `/question/${encodeURIComponent(request)}/reject`, directory)),
    addServer: async (directory, server) =>
      void (await ask("POST", "/mcp", directory, { name: server.name, config: toServerConfig(server) })),
  };
}

/** `provider/model`; a model's own name may hold further slashes. @throws `bridges.model-malformed` */
export function parseModel(text: string): Model {
  const [, providerID, modelID] = /^([^/]+)\/(.+)$/.exec(text) ?? [];
  if (providerID !== undefined && modelID !== undefined) return { providerID, modelID };
  throw bridgesError("bridges.model-malformed", {
    subject: "model",
    expected: "provider/model",
    got: JSON.stringify(text),
  });
}

function toServerConfig(server: McpServer): object {
  if ("command" in server) {
    const environment = Object.fromEntries(server.env.map(({ name, value }) => [name, value]));
    return { type: "local", command: [server.command, ...server.args], environment };
  }
  if (!("url" in server)) throw toUnknown(server.name, "a kind of MCP server that OpenCode does not take");
  const headers = Object.fromEntries(server.headers.map(({ name, value }) => [name, value]));
  return { type: "remote", url: server.url, headers, oauth: false };
}

function toUnknown(subject: string, got: string): Error {
  return bridgesError("bridges.session-unknown", { subject, expected: "a session that OpenCode knows", got });
}
