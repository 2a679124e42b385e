import { qualifyError } from "./errors.ts";
import type { Reply } from "./mocks/reply.ts";
import { type AcpBench, initialize } from "./qualify-acp.ts";
import { assertAnswer, settle, within } from "./within.ts";

const pieces = ["Half ", "an "];
const call: Reply = {
  kind: "tool",
  name: "bash",
  input: { command: "echo made > made.txt", description: "Makes a file" },
};
const failures: readonly (readonly [string, Reply, string])[] = [
  ["stalls", { kind: "stall", pieces }, "bridges.provider-stalled"],
  ["answers 500", { kind: "status", status: 500 }, "bridges.provider-retries"],
  ["cuts the stream", { kind: "cut", pieces }, "bridges.provider-retries"],
  ["sends events that are not JSON", { kind: "malformed", pieces }, "bridges.provider-failed"],
];

/** What the OpenCode proxy does beyond one prompt: permissions, cancelling, loading, failing, dying. */
export async function furtherProxyChecks(bench: AcpBench): Promise<void> {
  const { list } = bench;
  await list.check("asks the client for permission, and does what it answers", () => checkPermission(bench));
  await list.check("holds two sessions at once", () => checkTwo(bench));
  await list.check("cancels a prompt", () => checkCancel(bench));
  for (const [name, reply, code] of failures) {
    await list.check(`names ${code} when the provider ${name}`, () => checkFailure(bench, reply, code));
  }
  await list.check("loads a session and shows what was said", () => checkLoad(bench));
  await list.check("takes OpenCode with it when it is killed", () => checkKill(bench));
}

async function checkPermission({ open, ask, mock, client }: AcpBench): Promise<void> {
  const session = await open();
  client.choose("allow_once");
  mock.use([call, { kind: "text", pieces: ["Made."] }]);
  const { text } = await ask(session, "make a file");
  client.choose("reject_once");
  mock.use([call, { kind: "text", pieces: ["Not made."] }]);
  const { stopReason } = await ask(session, "make another");
  mock.use([{ kind: "echo" }]);
  assertAnswer("permission", ["Made.", 2, "end_turn"], [text, client.asked.length, stopReason]);
}

async function checkTwo({ open, ask }: AcpBench): Promise<void> {
  const words = ["alpha beta gamma", "one more of these"];
  const answers = await Promise.all(words.map(async (text) => ask(await open(), text)));
  assertAnswer(
    "two sessions",
    words,
    answers.map(({ text }) => text),
  );
}

async function checkCancel({ open, ask, mock, client, time }: AcpBench): Promise<void> {
  const session = await open();
  mock.use([{ kind: "stall", pieces }]);
  const before = mock.served();
  const asked = ask(session, "to be cancelled");
  await settle(time, mock.served, (served) => served > before);
  await client.agent.notify("session/cancel", { sessionId: session });
  const { stopReason } = await within("cancel", time, asked);
  mock.use([{ kind: "echo" }]);
  assertAnswer("stop reason", "cancelled", stopReason);
}

async function checkFailure({ open, ask, mock }: AcpBench, reply: Reply, code: string): Promise<void> {
  const session = await open();
  mock.use([reply]);
  const outcome = await ask(session, "to fail").catch(
    (error: { data?: { code?: unknown } }) => error.data?.code ?? error,
  );
  mock.use([{ kind: "echo" }]);
  assertAnswer("outcome", code, outcome);
}

async function checkLoad({ open, ask, client, scratch, time }: AcpBench): Promise<void> {
  const session = await open();
  await ask(session, "to be remembered");
  await client.agent.request("session/close", { sessionId: session });
  const load = client.agent.request("session/load", {
    sessionId: session,
    cwd: scratch.work,
    mcpServers: [],
  });
  await within("session/load", time, load);
  assertAnswer("replayed", "to be remembered", client.takeText(session));
  const { text } = await ask(session, "and on");
  assertAnswer("answer", "and on", text);
}

/** SIGKILL in the middle of a prompt: nothing of it may go on, and a new one must find nothing in its way. */
async function checkKill(bench: AcpBench): Promise<void> {
  const { mock, scratch, time } = bench;
  const session = await bench.open();
  mock.use([{ kind: "stall", pieces }]);
  const before = mock.served();
  const asked = bench.ask(session, "to be killed").catch(() => {});
  await settle(time, mock.served, (served) => served > before);
  await bench.client.kill();
  await asked;
  await scratch.assertRetired();
  mock.use([{ kind: "echo" }]);
  const client = bench.restart();
  await initialize({ client, time });
  if (client.pid === 0)
    throw qualifyError("qualify.no-answer", { subject: "restart", expected: "a process", got: "none" });
}
