import { realpathSync } from "node:fs";
import type { PromptResponse } from "@agentclientprotocol/sdk";
import { type AcpClient, startAcpClient } from "./acp-client.ts";
import { assertExpected } from "./assert-expected.ts";
import { qualifyError } from "./errors.ts";
import { type MockProtocol, type MockServer, startMockServer } from "./mocks/mock-server.ts";
import {
  type Checklist,
  type CheckReport,
  createChecklist,
  type SubjectReport,
  toSubjectReport,
} from "./report.ts";
import { openScratch, type Scratch } from "./scratch.ts";
import { assertAnswer, within } from "./within.ts";

/** An agent that speaks ACP on stdio, whatever it is made of. */
export interface AcpSubject {
  readonly name: string;
  readonly version: string;
  readonly digests: Readonly<Record<string, string>>;
  readonly model: string;
  readonly argv: readonly string[];
  readonly protocol: MockProtocol;
  /** What it needs to reach the mock and nothing else. */
  environment(scratch: Scratch, mock: MockServer): Readonly<Record<string, string>>;
  /** The pack's root: every executable that it starts must lie below. */
  readonly root: string;
  /** Executables below the root that must run while a session is open: its own CLI. */
  readonly runs: readonly string[];
  readonly time: number;
  readonly onCheck?: (check: CheckReport) => void;
  /** Further checks with an open session. */
  readonly further?: (bench: AcpBench) => Promise<void>;
}

export interface AcpBench {
  readonly list: Checklist;
  readonly client: AcpClient;
  readonly scratch: Scratch;
  readonly mock: MockServer;
  readonly time: number;
  open(): Promise<string>;
  /** The text of the answer to a prompt, and why it ended. */
  ask(session: string, text: string): Promise<{ readonly text: string; readonly stopReason: string }>;
  restart(): AcpClient;
}

/** Q2: a bridge as it stands in the pack, driven by an ACP client, against a mock provider. */
export async function qualifyAcp(subject: AcpSubject): Promise<SubjectReport> {
  const list = createChecklist(subject.onCheck);
  const scratch = await openScratch();
  const mock = await startMockServer(subject.protocol);
  const bench = createBench(subject, list, scratch, mock);
  try {
    await list.check("answers initialize", () => initialize(bench));
    const session = (await list.check("opens a session", bench.open)) ?? "";
    await list.check("answers a prompt in the provider's words", async () => {
      const { text, stopReason } = await bench.ask(session, "one two three");
      // A bridge may have a word of its own first: codex-acp warns of a model that it does not know.
      assertAnswer("answer", ["one two three", "end_turn"], [text.split("\n").at(-1), stopReason]);
      assertAnswer("completions", 1, mock.served());
    });
    await list.check("runs the pack's own CLI and nothing from elsewhere", () =>
      assertOwnExecutables(subject, scratch),
    );
    await subject.further?.(bench);
    await list.check("ends with everything that it started", async () => {
      await within("end", subject.time, bench.client.end());
      await scratch.assertRetired();
    });
  } finally {
    await list.always("asks the provider only for what is expected", () => assertExpected(mock));
    await list.always("asks for no other host", scratch.assertContained);
    await scratch.end();
    await mock.close();
  }
  return toSubjectReport(subject, list);
}

function createBench(subject: AcpSubject, list: Checklist, scratch: Scratch, mock: MockServer): AcpBench {
  const env = { ...scratch.env, ...subject.environment(scratch, mock) };
  const start = (): AcpClient => startAcpClient(subject.argv, env, scratch);
  const bench = {
    list,
    scratch,
    mock,
    time: subject.time,
    client: start(),
    restart: () => {
      bench.client = start();
      return bench.client;
    },
    open: async () => {
      const asked = bench.client.agent.request("session/new", { cwd: scratch.work, mcpServers: [] });
      return (await within("session/new", subject.time, asked)).sessionId;
    },
    ask: async (session: string, text: string) => {
      bench.client.takeText(session);
      const prompt = [{ type: "text" as const, text }];
      const asked = bench.client.agent.request<PromptResponse>("session/prompt", {
        sessionId: session,
        prompt,
      });
      const { stopReason } = await within("session/prompt", 2 * subject.time, asked);
      return { text: bench.client.takeText(session), stopReason };
    },
  };
  return bench;
}

export async function initialize({ client, time }: Pick<AcpBench, "client" | "time">): Promise<void> {
  const asked = client.agent.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
  const { protocolVersion } = await within("initialize", time, asked);
  assertAnswer("protocol version", 1, protocolVersion);
}

/** By path; the pack's files were compared with its manifest before anything was started. */
function assertOwnExecutables({ root, runs }: AcpSubject, scratch: Scratch): void {
  const pack = realpathSync(root);
  const found = scratch.executables();
  const foreign = found.filter((path) => !path.startsWith(`${pack}/`));
  const missing = runs.filter((path) => !found.includes(`${pack}/${path}`));
  if (foreign.length === 0 && missing.length === 0) return;
  throw qualifyError("qualify.foreign-executable", {
    subject: "running executables",
    expected: `${runs.join(", ")} and others below the pack only`,
    got: found.join(", "),
  });
}
