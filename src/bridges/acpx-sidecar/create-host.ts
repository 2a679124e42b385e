import {
  type AcpPermissionDecision,
  type AcpPermissionRequest,
  type AcpRuntimeTurn,
  type AcpxRuntime,
  createAcpRuntime,
  createRuntimeStore,
} from "acpx/runtime";
import { bridgeVersion } from "../bridge-version.ts";
import { bridgesError } from "../errors.ts";
import type { Pack } from "../pack-commands.ts";
import type { Attachment, OpenRequest, SidecarRequest } from "./parse-request.ts";
import { verifyProfile } from "./profile.ts";

export const sidecarProtocol = "paperclip-runner/acpx-sidecar/v1";

interface OpenSession {
  readonly runtime: AcpxRuntime;
  readonly handle: Awaited<ReturnType<AcpxRuntime["ensureSession"]>>;
  turn?: AcpRuntimeTurn;
}

export interface SidecarHost {
  /** What a request comes to; a prompt comes to its end. */
  handle(request: SidecarRequest): Promise<unknown>;
  /** Ends the session's agent; its record stays in the state directory. */
  end(): Promise<void>;
}

/**
 * Hosts acpx's runtime for one session at a time. `emit` sends an event frame. The agent is the one of the profile, by
 * its path in the pack: acpx is never asked for one that it knows itself, since it would call `npx`.
 */
export function createHost(pack: Pack, state: string, emit: (event: object) => void): SidecarHost {
  let session: OpenSession | undefined;
  let opening = false;
  const permissions = new Map<number, (decision: AcpPermissionDecision) => void>();
  let asked = 0;

  const ask = (request: AcpPermissionRequest, signal: AbortSignal): Promise<AcpPermissionDecision> => {
    const id = ++asked;
    const { promise, resolve } = Promise.withResolvers<AcpPermissionDecision>();
    permissions.set(id, resolve);
    signal.addEventListener("abort", () => resolve({ outcome: "cancel" }));
    emit({ event: "permission", request: id, kind: request.inferredKind ?? null, raw: request.raw });
    return promise.finally(() => permissions.delete(id));
  };
  const current = (): OpenSession => {
    if (session !== undefined) return session;
    throw bridgesError("bridges.sidecar-no-session", {
      subject: "sidecar",
      expected: "an open session",
      got: "none",
    });
  };
  const open = async (request: OpenRequest): Promise<object> => {
    if (session !== undefined || opening) throw toBusy("session");
    opening = true;
    try {
      session = await openSession(pack, state, request, ask);
      const { acpxRecordId, backendSessionId, agentSessionId } = session.handle;
      return {
        record: acpxRecordId ?? null,
        session: backendSessionId ?? null,
        agentSession: agentSessionId ?? null,
      };
    } finally {
      opening = false;
    }
  };
  const prompt = async (id: number, text: string, attachments: readonly Attachment[]): Promise<object> => {
    const open = current();
    if (open.turn !== undefined) throw toBusy("prompt");
    const { runtime, handle } = open;
    const turn = runtime.startTurn({
      handle,
      text,
      attachments: [...attachments],
      mode: "prompt",
      requestId: String(id),
    });
    open.turn = turn;
    try {
      for await (const event of turn.events) emit({ event: "update", prompt: id, update: event });
      const result = await turn.result;
      if (result.status === "failed") throw toAgentFailure(result.error.message, result.error.code);
      return { status: result.status, stopReason: result.stopReason ?? null };
    } finally {
      delete open.turn;
    }
  };
  const permit = (request: number, decision: AcpPermissionDecision): object => {
    const resolve = permissions.get(request);
    if (resolve === undefined) {
      const facts = { subject: `permission ${request}`, expected: "one that is awaited", got: "none" };
      throw bridgesError("bridges.run-refused", facts);
    }
    resolve(decision);
    return {};
  };
  const end = async (): Promise<void> => {
    const open = session;
    session = undefined;
    for (const resolve of permissions.values()) resolve({ outcome: "cancel" });
    await open?.runtime.close({ handle: open.handle, reason: "closed by the controller" });
  };
  return {
    end,
    handle: async (request) => {
      switch (request.op) {
        case "hello":
          return { protocol: sidecarProtocol, version: bridgeVersion, pack: pack.manifest.digest };
        case "open":
          return open(request);
        case "prompt":
          return prompt(request.id, request.text, request.attachments ?? []);
        case "permit":
          return permit(request.request, { outcome: request.outcome });
        case "cancel":
          await current().turn?.cancel({ reason: "cancelled by the controller" });
          return {};
        case "status":
          return current().runtime.getStatus({ handle: current().handle });
        case "configure":
          await current().runtime.setConfigOption({
            handle: current().handle,
            key: request.key,
            value: request.value,
          });
          return {};
        case "close":
          current();
          await end();
          return {};
      }
    },
  };
}

async function openSession(
  pack: Pack,
  state: string,
  request: OpenRequest,
  ask: (request: AcpPermissionRequest, signal: AbortSignal) => Promise<AcpPermissionDecision>,
): Promise<OpenSession> {
  const { profile, cwd, session, mode, model } = request;
  const argv = verifyProfile(pack, profile);
  const runtime = createAcpRuntime({
    cwd,
    sessionStore: createRuntimeStore({ stateDir: state }),
    agentRegistry: {
      list: () => [profile.agent],
      resolve: (name) => {
        if (name === profile.agent) return [...argv];
        throw toAgentFailure(`acpx asked for the agent ${JSON.stringify(name)}`);
      },
    },
    permissionMode: "deny-all",
    nonInteractivePermissions: "deny",
    onPermissionRequest: (permission, { signal }) => ask(permission, signal),
  });
  const sessionOptions = model === undefined ? {} : { sessionOptions: { model } };
  try {
    const handle = await runtime.ensureSession({
      sessionKey: session,
      agent: profile.agent,
      mode,
      cwd,
      ...sessionOptions,
    });
    return { runtime, handle };
  } catch (error) {
    throw toAgentFailure((error as Error).message, undefined, error);
  }
}

function toAgentFailure(message: string, code?: string, cause?: unknown): Error {
  const got = `${code === undefined ? "" : `${code}: `}${message.slice(0, 1000)}`;
  return bridgesError("bridges.agent-failed", { subject: "agent", expected: "an answer", got, cause });
}

function toBusy(what: string): Error {
  return bridgesError("bridges.sidecar-busy", {
    subject: "sidecar",
    expected: `one ${what} at a time`,
    got: "a second",
  });
}
