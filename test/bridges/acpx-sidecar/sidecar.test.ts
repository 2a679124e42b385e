import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { type Profile, toProfile } from "../../../src/bridges/acpx-sidecar/profile.ts";
import { bridgePack } from "../../support/bridge-pack.ts";
import { compiledBridge } from "../../support/compiled-bridge.ts";
import { fakeAgentSource } from "../../support/fake-agent.ts";
import type { TestPack } from "../../support/random-pack.ts";
import { findProcesses, type Program, runProgram, until } from "../../support/run-program.ts";
import { tempDir } from "../../support/temp-dir.ts";

const script = await compiledBridge("acpx-sidecar");
const sdk = resolve("node_modules/@agentclientprotocol/sdk/dist/acp.js");
const agent = `#!/bin/sh\nexec '${process.execPath}' "\${0%/bin/*}/agent.cjs"\n`;

interface Bench {
  readonly program: Program;
  readonly pack: TestPack;
  readonly folder: string;
  readonly profile: Profile;
  readonly token: string;
  readonly events: Record<string, unknown>[];
  ask(request: object): Promise<Record<string, unknown>>;
  open(): Promise<Record<string, unknown>>;
}

async function start(): Promise<Bench> {
  const folder = tempDir();
  const pack = await bridgePack(join(folder, "pack"), { commands: { "claude-agent-acp": agent } });
  // Beside the agent's launcher, which finds it; the pack's own listing does not matter to the sidecar.
  writeFileSync(join(pack.root, "node_modules/claude-agent-acp/agent.cjs"), fakeAgentSource(sdk));
  const traps = join(folder, "traps");
  mkdirSync(traps);
  for (const name of ["npx", "npm"]) {
    writeFileSync(join(traps, name), `#!/bin/sh\n: > '${folder}/${name}-was-called'\n`);
    chmodSync(join(traps, name), 0o755);
  }
  const token = `8${process.pid}${Math.floor(performance.now())}`;
  const env = {
    PATH: `${traps}:${process.env.PATH}`,
    FAKE_AGENT_TOKEN: token,
    HOME: join(folder, "home"),
    TMPDIR: folder,
  };
  const program = runProgram(script, ["--pack", pack.root, "--state-dir", join(folder, "state")], env);
  const events: Record<string, unknown>[] = [];
  const answers = new Map<number, Record<string, unknown>>();
  let next = 0;
  const read = async (id: number): Promise<Record<string, unknown>> => {
    while (!answers.has(id)) {
      const frame = JSON.parse(await program.line());
      if (frame.event === undefined) answers.set(frame.id, frame);
      else events.push(frame);
    }
    return answers.get(id) ?? {};
  };
  const ask = (request: object): Promise<Record<string, unknown>> => {
    const id = ++next;
    program.child.stdin.write(`${JSON.stringify({ id, ...request })}\n`);
    return read(id);
  };
  const profile = toProfile(pack.manifest.payload, "claude", "claude-agent-acp");
  const open = () => ask({ op: "open", profile, cwd: folder, session: "s", mode: "oneshot" });
  return { program, pack, folder, profile, token, events, ask, open };
}

const said = ({ events }: Bench): string =>
  events
    .flatMap(({ update }) =>
      (update as { type?: string })?.type === "text_delta" ? [(update as { text: string }).text] : [],
    )
    .join("");

test("opens the pack's agent, carries prompts and permissions, and ends it", async () => {
  const bench = await start();
  expect((await bench.ask({ op: "hello" })).result).toMatchObject({
    protocol: "paperclip-runner/acpx-sidecar/v1",
    pack: bench.pack.manifest.digest,
  });
  expect(await bench.open()).toMatchObject({ ok: true });
  expect(await bench.ask({ op: "prompt", text: "hello there" })).toMatchObject({
    ok: true,
    result: { status: "completed", stopReason: "end_turn" },
  });
  expect(said(bench)).toBe("hello there");
  const asked = bench.ask({ op: "prompt", text: "ask" });
  const permission = await untilEvent(bench, "permission");
  bench.program.child.stdin.write(
    `${JSON.stringify({ id: 90, op: "permit", request: permission.request, outcome: "allow_once" })}\n`,
  );
  expect(await asked).toMatchObject({ ok: true });
  expect(said(bench)).toContain('"optionId":"yes"');
  expect(await bench.ask({ op: "close" })).toMatchObject({ ok: true });
  await until(
    () => findProcesses(`sleep\0${bench.token}`),
    (left) => left.length === 0,
  );
  bench.program.child.stdin.end();
  expect((await bench.program.exited).code).toBe(0);
  expect(readdirSync(bench.folder).sort()).toEqual(["pack", "state", "traps"]);
});

async function untilEvent(bench: Bench, name: string): Promise<Record<string, unknown>> {
  return until(
    () => bench.events.find(({ event }) => event === name) ?? {},
    ({ event }) => event === name,
  );
}

test.each<[string, (bench: Bench) => Promise<unknown>, string]>([
  ["a prompt before a session", ({ ask }) => ask({ op: "prompt", text: "x" }), "bridges.sidecar-no-session"],
  ["a second session", async ({ open }) => [await open(), await open()][1], "bridges.sidecar-busy"],
  [
    "a permission that nobody awaits",
    ({ ask }) => ask({ op: "permit", request: 7, outcome: "cancel" }),
    "bridges.run-refused",
  ],
  [
    "another agent of acpx's own",
    ({ ask, profile, folder }) =>
      ask({
        op: "open",
        profile: { ...profile, command: "npx" },
        cwd: folder,
        session: "s",
        mode: "oneshot",
      }),
    "bridges.command-unknown",
  ],
  [
    "another package",
    ({ ask, profile, folder }) =>
      ask({
        op: "open",
        profile: { ...profile, package: "other" },
        cwd: folder,
        session: "s",
        mode: "oneshot",
      }),
    "bridges.profile-mismatch",
  ],
  [
    "another version",
    ({ ask, profile, folder }) =>
      ask({
        op: "open",
        profile: { ...profile, version: "9.9.9" },
        cwd: folder,
        session: "s",
        mode: "oneshot",
      }),
    "bridges.profile-mismatch",
  ],
  [
    "the digest of another agent's profile",
    ({ ask, profile, folder }) =>
      ask({
        op: "open",
        profile: { ...profile, agent: "codex" },
        cwd: folder,
        session: "s",
        mode: "oneshot",
      }),
    "bridges.profile-mismatch",
  ],
  [
    "an agent that fails",
    async (bench) => [await bench.open(), await bench.ask({ op: "prompt", text: "fail" })][1],
    "bridges.agent-failed",
  ],
  [
    "an agent that ends",
    async (bench) => [await bench.open(), await bench.ask({ op: "prompt", text: "die" })][1],
    "bridges.agent-failed",
  ],
  ["a line that is no request", ({ ask }) => ask({ op: "nothing" }), "bridges.frame-malformed"],
])("%s is refused by name", async (_, ask, code) => {
  expect(await ask(await start())).toMatchObject({ ok: false, error: { code } });
});

test("an agent that was changed after sealing is not started", async () => {
  const bench = await start();
  const path = join(bench.pack.root, "node_modules/claude-agent-acp/bin/claude-agent-acp");
  writeFileSync(path, `${agent}# changed\n`);
  expect(await bench.open()).toMatchObject({ ok: false, error: { code: "bridges.command-differs" } });
  expect(findProcesses(bench.token)).toEqual([]);
});

test("cancel overtakes a prompt", async () => {
  const bench = await start();
  await bench.open();
  const asked = bench.ask({ op: "prompt", text: "stay" });
  await new Promise((resolve) => setTimeout(resolve, 300));
  bench.program.child.stdin.write(`${JSON.stringify({ id: 91, op: "cancel" })}\n`);
  expect(await asked).toMatchObject({ ok: true, result: { status: "cancelled" } });
});

test.each(["SIGKILL", "SIGTERM"] as const)(
  "%s for the sidecar takes the agent and its children along",
  async (signal) => {
    const bench = await start();
    await bench.open();
    await until(
      () => findProcesses(`sleep\0${bench.token}`).length,
      (count) => count === 1,
    );
    bench.program.child.kill(signal);
    await until(
      () => [...findProcesses(`sleep\0${bench.token}`), ...findProcesses(bench.pack.root)],
      (left) => left.length === 0,
    );
  },
);
