/**
 * An ACP agent small enough to read: says what it was told, asks for permission on `ask`, works until it is cancelled on
 * `stay`, fails on `fail`, ends on `die`. Its first argument is a token to find it, and the child that it keeps, by.
 */
export const fakeAgentSource = (sdk: string): string => `
const { spawn } = require("node:child_process");
const { Readable, Writable } = require("node:stream");
(async () => {
  const acp = await import(${JSON.stringify(sdk)});
  const child = spawn("sleep", [process.env.FAKE_AGENT_TOKEN || "600"], { detached: true, stdio: "ignore" });
  const cancelled = new Map();
  const app = acp.agent({ name: "fake" })
    .onRequest("initialize", () => ({ protocolVersion: 1, agentCapabilities: {}, authMethods: [] }))
    .onRequest("session/new", () => ({ sessionId: "s1" }))
    .onNotification("session/cancel", ({ params }) => cancelled.get(params.sessionId)?.())
    .onRequest("session/prompt", async ({ params, client }) => {
      const text = params.prompt[0].text;
      const say = (text) => client.notify("session/update", { sessionId: params.sessionId, update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } });
      if (text === "die") process.exit(9);
      if (text === "fail") throw new acp.RequestError(-32000, "no such luck");
      if (text === "stay") {
        await new Promise((resolve) => cancelled.set(params.sessionId, resolve));
        return { stopReason: "cancelled" };
      }
      if (text === "ask") {
        const answer = await client.request("session/request_permission", {
          sessionId: params.sessionId,
          toolCall: { toolCallId: "t", title: "do it", kind: "execute", status: "pending" },
          options: [{ optionId: "yes", kind: "allow_once", name: "Yes" }, { optionId: "no", kind: "reject_once", name: "No" }],
        });
        await say(JSON.stringify(answer.outcome));
      } else await say(text);
      return { stopReason: "end_turn" };
    });
  const connection = app.connect(acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
  await connection.closed;
  child.kill();
  process.exit(0);
})();
`;
