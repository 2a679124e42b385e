import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Readable, Writable } from "node:stream";
import { ndJsonStream } from "@agentclientprotocol/sdk";
import { type Guardian, startGuardian } from "../guardian/start-guardian.ts";
import { findPack, verifyProgram } from "../pack-commands.ts";
import { runBridge } from "../run-bridge.ts";
import { createAgent, type OpencodeAgent } from "./create-agent.ts";
import { openEvents } from "./open-events.ts";
import { openSessions } from "./opencode-sessions.ts";
import { type ProxyOptions, parseProxyOptions } from "./parse-options.ts";
import { startOpencode } from "./start-opencode.ts";

const stopGrace = 3000;

/** An ACP agent over stdio that drives an OpenCode server of its own. */
runBridge(async (args, program, ended) => {
  const options = parseProxyOptions(args);
  const opencode = options.other ?? findOpencode(program);
  const guardian = await startGuardian(program);
  try {
    await serve(options, opencode, guardian, ended);
  } finally {
    await guardian.end();
  }
});

/** The pack's own, by its path: what PATH holds does not count. */
function findOpencode(program: string): { readonly executable: string; readonly version: string } {
  const pack = findPack(program);
  const [executable] = verifyProgram(pack, "opencode");
  return { executable, version: pack.manifest.payload.commands.opencode?.version ?? "" };
}

async function serve(
  options: ProxyOptions,
  opencode: { readonly executable: string; readonly version: string },
  guardian: Guardian,
  ended: Promise<void>,
): Promise<void> {
  const state = prepareState(options.state, guardian);
  const { startTimeout, limits, model } = options;
  const server = await startOpencode(
    { ...opencode, state, environment: process.env, startTimeout },
    guardian,
  );
  const served: { agent?: OpencodeAgent } = {};
  const events = await openEvents(server.address, (event) => served.agent?.accept(event));
  const lost = Promise.race([server.lost, events.lost, guardian.lost]);
  served.agent = createAgent({
    sessions: openSessions(server.address),
    limits,
    lost,
    ...(model && { model }),
  });
  const stream = ndJsonStream(
    Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
    Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
  );
  const connection = served.agent.app.connect(stream);
  try {
    await Promise.race([connection.closed, ended, lost]);
  } finally {
    events.close();
    await server.stop(stopGrace);
  }
}

function prepareState(given: string | undefined, guardian: Guardian): string {
  if (given !== undefined) {
    mkdirSync(given, { recursive: true, mode: 0o700 });
    return realpathSync(resolve(given));
  }
  const state = realpathSync(mkdtempSync(join(tmpdir(), "opencode-proxy-")));
  guardian.remove(state);
  return state;
}
