import type { PlanEntry, SessionUpdate, Usage } from "@agentclientprotocol/sdk";
import { asRecord, type OpencodeEvent } from "./event-parser.ts";
import { toToolUpdate } from "./tool-updates.ts";

export interface Translator {
  /** The updates that an event of one session stands for, in order. */
  translate(event: OpencodeEvent): readonly SessionUpdate[];
  /** Why the newest assistant message ended, in OpenCode's words; "" before that. */
  finish(): string;
  usage(): Usage | undefined;
  /** Whether a tool is at work: the model may then be silent for as long as it takes. */
  busy(): boolean;
}

type Fields = Readonly<Record<string, unknown>>;
type Chunk = "agent_message_chunk" | "agent_thought_chunk" | "user_message_chunk";

/** `replay` shows the user's messages too: a client that loads a session has not seen them. */
export function createTranslator(replay: boolean): Translator {
  const messages = new Map<unknown, Fields>();
  /** Part id to what was already sent of its text. */
  const sent = new Map<unknown, { readonly chunk: Chunk; length: number; readonly message: string }>();
  const tools = new Map<unknown, unknown>();

  const toChunk = (part: Fields): Chunk | undefined => {
    const role = messages.get(part.messageID)?.role;
    if (role === "user")
      return replay && part.type === "text" && part.synthetic !== true ? "user_message_chunk" : undefined;
    if (role !== "assistant") return undefined;
    if (part.type === "reasoning") return "agent_thought_chunk";
    return part.type === "text" ? "agent_message_chunk" : undefined;
  };
  const showText = (part: Fields): readonly SessionUpdate[] => {
    const chunk = toChunk(part);
    if (chunk === undefined || typeof part.text !== "string") return [];
    const known = sent.get(part.id) ?? { chunk, length: 0, message: String(part.messageID) };
    sent.set(part.id, known);
    const text = part.text.slice(known.length);
    known.length += text.length;
    return text === "" ? [] : [toContent(chunk, text, known.message)];
  };
  const showDelta = ({ partID, field, delta }: Fields): readonly SessionUpdate[] => {
    const known = sent.get(partID);
    if (known === undefined || field !== "text" || typeof delta !== "string") return [];
    known.length += delta.length;
    return [toContent(known.chunk, delta, known.message)];
  };
  const showTool = (part: Fields): readonly SessionUpdate[] => {
    const update = toToolUpdate(part, tools.has(part.callID));
    tools.set(part.callID, asRecord(part.state)?.status);
    return update === undefined ? [] : [update];
  };
  return {
    translate: ({ type, properties }) => {
      const info = asRecord(properties.info);
      if (type === "message.updated" && info !== undefined) messages.set(info.id, info);
      if (type === "message.part.delta") return showDelta(properties);
      if (type === "todo.updated") return [toPlan(properties.todos)];
      const part = type === "message.part.updated" ? asRecord(properties.part) : undefined;
      if (part === undefined) return [];
      return part.type === "tool" ? showTool(part) : showText(part);
    },
    finish: () => String([...messages.values()].findLast(({ role }) => role === "assistant")?.finish ?? ""),
    usage: () => toUsage([...messages.values()]),
    busy: () => [...tools.values()].includes("running"),
  };
}

function toContent(sessionUpdate: Chunk, text: string, messageId: string): SessionUpdate {
  return { sessionUpdate, content: { type: "text", text }, messageId };
}

function toPlan(todos: unknown): SessionUpdate {
  const entries = (Array.isArray(todos) ? todos : []).map((todo): PlanEntry => {
    const { content, status, priority } = asRecord(todo) ?? {};
    return {
      content: String(content ?? ""),
      status: status === "completed" || status === "in_progress" ? status : "pending",
      priority: priority === "high" || priority === "low" ? priority : "medium",
    };
  });
  return { sessionUpdate: "plan", entries };
}

function toUsage(messages: readonly Fields[]): Usage | undefined {
  const counts = messages.flatMap(({ role, tokens }) =>
    role === "assistant" ? [asRecord(tokens) ?? {}] : [],
  );
  if (counts.length === 0) return undefined;
  const sum = (read: (count: Fields) => unknown): number =>
    counts.reduce((total, count) => total + (Number(read(count)) || 0), 0);
  const inputTokens = sum(({ input }) => input);
  const outputTokens = sum(({ output }) => output);
  const thoughtTokens = sum(({ reasoning }) => reasoning);
  const cachedReadTokens = sum(({ cache }) => asRecord(cache)?.read);
  const cachedWriteTokens = sum(({ cache }) => asRecord(cache)?.write);
  const totalTokens = inputTokens + outputTokens + thoughtTokens + cachedReadTokens + cachedWriteTokens;
  return { totalTokens, inputTokens, outputTokens, thoughtTokens, cachedReadTokens, cachedWriteTokens };
}
