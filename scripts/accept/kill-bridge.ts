/**
 * kill-bridge.ts <pack> <bridge> <count> <seed>: starts a bridge of a sealed pack, puts it to work, ends it with SIGKILL at a seeded
 * moment, and looks for what is left: processes, listening ports, files outside its state directory. To be run where
 * nothing but loopback is up and nobody else listens.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { toProfile } from "../../src/bridges/acpx-sidecar/profile.ts";
import { findProgram, type Pack, readPack } from "../../src/bridges/pack-commands.ts";
import { printJsonFrame } from "../../src/bridges/runnerd/frame.ts";
import { protocolName } from "../../src/bridges/runnerd/serve-connection.ts";
import { startAcpClient } from "../../src/qualify/acp-client.ts";
import { type MockServer, startMockServer } from "../../src/qualify/mocks/mock-server.ts";
import { openScratch, type Scratch } from "../../src/qualify/scratch.ts";
import { claudeSubject, proxySubject } from "../../src/qualify/subjects.ts";
import { settle } from "../../src/qualify/within.ts";
import { bridgePack } from "../../test/support/bridge-pack.ts";

const [path = "", bridge = "", count = "50", seed = "1"] = process.argv.slice(2);
const pack = readPack(realpathSync(path));
const random = toRandom(Number(seed));
const ticket = "ticket-of-nobody-0123456789";
const smallPack = bridge === "runnerd" ? await makeSmallPack() : "";

/** Starts a bridge and its work; gives its pid and a way to end the waiting. The work's failure is the kill's doing. */
type Start = (
  pack: Pack,
  scratch: Scratch,
  round: number,
) => Promise<{ readonly pid: number; close(): Promise<void> }>;

const starts: Readonly<Record<string, { readonly start: Start; readonly longest: number }>> = {
  "opencode-proxy": { start: startProxy, longest: 10_000 },
  "acpx-sidecar": { start: startSidecar, longest: 4000 },
  runnerd: { start: startRunnerd, longest: 1500 },
};

const chosen = starts[bridge];
if (chosen === undefined) throw new TypeError(`no such bridge: ${bridge}`);
const before = readListening();
let working = 0;
for (let round = 0; round < Number(count); round += 1) {
  const scratch = await openScratch();
  const { pid, close } = await chosen.start(pack, scratch, round);
  await sleep(Math.floor(random() * chosen.longest));
  working += scratch.executables().length > 1 ? 1 : 0;
  process.kill(pid, "SIGKILL");
  await scratch.assertRetired();
  await close();
  // The guardian deletes a temporary state directory after the last process is gone.
  await settle(
    10_000,
    () => isContained(scratch),
    (contained) => contained,
  );
  scratch.assertContained();
  await scratch.end();
  const left = [...readListening()].filter((port) => !before.has(port));
  if (left.length > 0) throw new Error(`ports left after round ${round}: ${left}`);
}
process.stdout.write(`${count} kills, ${working} of them while it had started others\n`);
process.exit(0);

function isContained(scratch: Scratch): boolean {
  try {
    scratch.assertContained();
    return true;
  } catch {
    return false;
  }
}

async function startProxy(pack: Pack, scratch: Scratch, round: number) {
  const subject = proxySubject(pack, { time: 60_000 });
  const mock = await startMockServer(subject.protocol);
  const input = { command: "sleep 600 & setsid sleep 600 & sleep 600", description: "Stays" };
  mock.use([
    { kind: "tool", name: "bash", input },
    { kind: "stall", pieces: ["Half "] },
  ]);
  // Every other one with a temporary state directory, which must go too.
  const state = round % 2 === 0 ? ["--state-dir", scratch.state] : [];
  const client = startAcpClient(
    [...subject.argv, ...state],
    { ...scratch.env, ...subject.environment(scratch, mock) },
    scratch,
  );
  client.choose("allow_once");
  const work = async (): Promise<void> => {
    await client.agent.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
    const { sessionId } = await client.agent.request("session/new", { cwd: scratch.work, mcpServers: [] });
    await client.agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "stay" }] });
  };
  work().catch(() => {});
  return { pid: client.pid, close: () => mock.close() };
}

async function startSidecar(pack: Pack, scratch: Scratch) {
  const inner = claudeSubject(pack, { time: 60_000 });
  const mock: MockServer = await startMockServer(inner.protocol);
  mock.use([{ kind: "stall", pieces: ["Half "] }]);
  const { start } = findProgram(pack.manifest.payload, "acpx-sidecar");
  const [command = "", ...args] = start.map((file) => join(pack.root, file));
  const env = { ...scratch.env, ...inner.environment(scratch, mock) };
  const state = ["--state-dir", join(scratch.state, "acpx")];
  const child = spawn(command, [...args, ...state], {
    cwd: scratch.work,
    detached: true,
    env,
    stdio: ["pipe", "ignore", "ignore"],
  });
  child.stdin.on("error", () => {});
  const profile = toProfile(pack.manifest.payload, "claude", inner.name);
  const send = (frame: object): void => void child.stdin.write(`${JSON.stringify(frame)}\n`);
  send({ id: 1, op: "open", profile, cwd: scratch.work, session: "s", mode: "persistent" });
  const timer = setTimeout(() => send({ id: 2, op: "prompt", text: "stay" }), 2000);
  return {
    pid: child.pid ?? 0,
    close: async () => {
      clearTimeout(timer);
      await mock.close();
    },
  };
}

/** runnerd from its source: it stands outside packs. */
async function startRunnerd(_: Pack, scratch: Scratch) {
  const script = join(import.meta.dirname, "../../src/bridges/runnerd/main.ts");
  const env = { ...scratch.env, PAPERCLIP_RUNNERD_TICKET: ticket };
  const args = [script, "--listen-ws", "0", "--pack", smallPack];
  const child = spawn(process.execPath, args, { detached: true, env, stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise<string>((resolve) => {
    child.stdout.setEncoding("utf8").once("data", (line: string) => resolve(JSON.parse(line).listening));
  });
  const socket = new WebSocket(url, "paperclip-runner.prp.v1", {
    headers: { authorization: `Bearer ${ticket}` },
  });
  socket.on("error", () => {});
  socket.on("open", () => {
    // What it starts has only what is asked for in its environment; ours is asked for, so that it is found afterwards.
    const { digest } = readPack(smallPack).manifest;
    socket.send(printJsonFrame("hello", 0, { protocol: protocolName, manifest: digest }));
    for (let run = 1; run <= 5; run += 1) {
      const stay = {
        command: "stay",
        args: ["sleep 600 & setsid sleep 600 & sleep 600"],
        cwd: "/",
        // What it starts has only what is asked for in its environment; ours is asked for, to find it by.
        inherit: ["PATH", ...Object.keys(scratch.guardian.env)],
      };
      socket.send(printJsonFrame("start", run, stay));
    }
  });
  return {
    pid: child.pid ?? 0,
    close: async () => socket.terminate(),
  };
}

/** A pack of one command that runs what it is told: the real one takes seconds to verify, once for each round. */
async function makeSmallPack(): Promise<string> {
  const root = join(realpathSync(mkdtempSync(join(tmpdir(), "sealpack-kill-"))), "pack");
  process.on("exit", () => rmSync(join(root, ".."), { recursive: true, force: true }));
  await bridgePack(root, { commands: { stay: '#!/bin/sh\neval "$1"\n' } });
  return root;
}

function readListening(): Set<string> {
  const rows = ["tcp", "tcp6"].flatMap((name) =>
    readFileSync(`/proc/net/${name}`, "latin1").split("\n").slice(1),
  );
  const listening = rows.map((row) => row.trim().split(/\s+/)).filter((fields) => fields[3] === "0A");
  return new Set(listening.map((fields) => fields[1] ?? ""));
}

/** Numbers from 0 to 1, the same for the same seed everywhere (mulberry32). */
function toRandom(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
