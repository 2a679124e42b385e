import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import {
  type ClientContext,
  client,
  ndJsonStream,
  type RequestPermissionRequest,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { tailOf } from "../bridges/tail.ts";
import { qualifyError } from "./errors.ts";
import type { Scratch } from "./scratch.ts";

/** An agent that runs, and our side of ACP with it. */
export interface AcpClient {
  readonly agent: ClientContext;
  readonly pid: number;
  /** What the agent said in a session since the last look, in order; only the answer's own text. */
  takeText(session: string): string;
  /** Permission requests so far; each is answered with the option of the current `choice`. */
  readonly asked: readonly RequestPermissionRequest[];
  choose(kind: "allow_once" | "reject_once"): void;
  /** Ends its input and waits until it is gone. */
  end(): Promise<void>;
  kill(): Promise<void>;
}

/** Starts an agent on stdio. A failure of it, at any time, rejects what is asked of it with the end of its stderr. */
export function startAcpClient(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  scratch: Scratch,
): AcpClient {
  const [command = "", ...args] = argv;
  const child = spawn(command, args, { cwd: scratch.work, detached: true, env, stdio: "pipe" });
  if (child.pid !== undefined) scratch.guardian.watch(child.pid);
  const stderr = tailOf(child.stderr, 2000);
  const gone = new Promise<void>((resolve) => {
    child.on("error", () => resolve());
    child.on("close", () => resolve());
  });
  child.stdin.on("error", () => {});
  const said: { readonly session: string; readonly text: string }[] = [];
  const asked: RequestPermissionRequest[] = [];
  let choice: "allow_once" | "reject_once" = "reject_once";
  const app = client({ name: "sealpack-qualify" })
    .onNotification("session/update", ({ params }) => {
      const text = toText(params.update);
      if (text !== undefined) said.push({ session: params.sessionId, text });
    })
    .onRequest("session/request_permission", ({ params }) => {
      asked.push(params);
      const option = params.options.find(({ kind }) => kind === choice);
      if (option === undefined) return { outcome: { outcome: "cancelled" } };
      return { outcome: { outcome: "selected", optionId: option.optionId } };
    });
  const stream = ndJsonStream(
    Writable.toWeb(child.stdin),
    Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
  );
  const connection = app.connect(stream);
  return {
    agent: failWith(connection.agent, gone, stderr),
    pid: child.pid ?? 0,
    asked,
    takeText: (session) => {
      const texts = said.filter((one) => one.session === session).map(({ text }) => text);
      said.splice(0, said.length, ...said.filter((one) => one.session !== session));
      return texts.join("");
    },
    choose: (kind) => {
      choice = kind;
    },
    end: async () => {
      child.stdin.end();
      await gone;
    },
    kill: async () => {
      child.kill("SIGKILL");
      await gone;
    },
  };
}

function toText(update: SessionUpdate): string | undefined {
  if (update.sessionUpdate !== "agent_message_chunk" || update.content.type !== "text") return undefined;
  return update.content.text;
}

/** The same context, whose requests fail with the agent's last words once it is gone. */
function failWith(agent: ClientContext, gone: Promise<void>, stderr: () => string): ClientContext {
  const lost = gone.then(() => {
    throw qualifyError("qualify.answer", {
      subject: "agent",
      expected: "an answer",
      got: `its end: ${stderr()}`,
    });
  });
  lost.catch(() => {});
  return new Proxy(agent, {
    get: (target, name) => {
      if (name !== "request") return Reflect.get(target, name).bind(target);
      return (method: string, params: unknown) => Promise.race([target.request(method, params), lost]);
    },
  });
}
