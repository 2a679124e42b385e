import type { AgentContext, PermissionOption, RequestPermissionRequest } from "@agentclientprotocol/sdk";
import { asRecord } from "./event-parser.ts";
import { toLocations, toToolKind } from "./tool-updates.ts";

export type PermissionReply = "once" | "always" | "reject";

const options: readonly PermissionOption[] = [
  { optionId: "once", kind: "allow_once", name: "Allow once" },
  { optionId: "always", kind: "allow_always", name: "Always allow" },
  { optionId: "reject", kind: "reject_once", name: "Reject" },
];

/**
 * Has the client answer what OpenCode asks for. Whatever is not a clear yes is a no: a client that cancels, fails, goes
 * away or answers something else.
 */
export async function askPermission(
  client: AgentContext,
  sessionId: string,
  asked: Readonly<Record<string, unknown>>,
): Promise<PermissionReply> {
  try {
    const { outcome } = await client.request("session/request_permission", toRequest(sessionId, asked));
    const chosen = outcome.outcome === "selected" ? outcome.optionId : "reject";
    return chosen === "once" || chosen === "always" ? chosen : "reject";
  } catch {
    return "reject";
  }
}

function toRequest(sessionId: string, asked: Readonly<Record<string, unknown>>): RequestPermissionRequest {
  const permission = String(asked.permission);
  const patterns = Array.isArray(asked.patterns) ? asked.patterns.map(String) : [];
  const toolCall = {
    toolCallId: String(asRecord(asked.tool)?.callID ?? asked.id),
    title: patterns.length === 0 ? permission : `${permission}: ${patterns.join(", ")}`.slice(0, 1000),
    kind: toToolKind(permission),
    status: "pending" as const,
    rawInput: asked.metadata,
    locations: toLocations(asked.metadata),
  };
  return { sessionId, toolCall, options: [...options] };
}
