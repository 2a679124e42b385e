import type { SessionUpdate, ToolCallLocation, ToolKind } from "@agentclientprotocol/sdk";
import { asRecord } from "./event-parser.ts";

const kinds: Readonly<Record<string, ToolKind>> = {
  bash: "execute",
  edit: "edit",
  write: "edit",
  patch: "edit",
  multiedit: "edit",
  read: "read",
  list: "search",
  glob: "search",
  grep: "search",
  webfetch: "fetch",
  websearch: "fetch",
  external_directory: "other",
};

export function toToolKind(tool: string): ToolKind {
  return (Object.hasOwn(kinds, tool) ? kinds[tool] : undefined) ?? "other";
}

/** The files that a tool's input names. */
export function toLocations(input: unknown): ToolCallLocation[] {
  const record = asRecord(input) ?? {};
  const path = [record.filePath, record.filepath, record.path].find((value) => typeof value === "string");
  return typeof path === "string" && path !== "" ? [{ path }] : [];
}

/** A part of type `tool`, in whatever state, to the update that shows it; `seen` tells whether it was shown before. */
export function toToolUpdate(
  part: Readonly<Record<string, unknown>>,
  seen: boolean,
): SessionUpdate | undefined {
  const state = asRecord(part.state);
  if (state === undefined || typeof part.callID !== "string" || typeof part.tool !== "string")
    return undefined;
  const title = typeof state.title === "string" && state.title !== "" ? state.title : part.tool;
  const status = toStatus(state.status);
  const shown = {
    toolCallId: part.callID,
    title,
    status,
    rawInput: state.input,
    locations: toLocations(state.input),
  };
  const result = toResult(state);
  return seen
    ? { sessionUpdate: "tool_call_update", ...shown, ...result }
    : { sessionUpdate: "tool_call", ...shown, kind: toToolKind(part.tool), ...result };
}

function toStatus(status: unknown): "pending" | "in_progress" | "completed" | "failed" {
  if (status === "running") return "in_progress";
  if (status === "completed") return "completed";
  return status === "error" ? "failed" : "pending";
}

function toResult(state: Readonly<Record<string, unknown>>) {
  const text = state.status === "completed" ? state.output : state.error;
  if (typeof text !== "string") return {};
  const rawOutput = { output: text, ...(asRecord(state.metadata) ?? {}) };
  return { content: [{ type: "content" as const, content: { type: "text" as const, text } }], rawOutput };
}
