import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isSealpackError } from "../../errors.ts";
import { bridgesError } from "../errors.ts";
import type { Guardian } from "../guardian/start-guardian.ts";
import { tailOf } from "../tail.ts";
import { asRecord } from "./event-parser.ts";
import { type OpencodeAddress, sendRequest } from "./http-client.ts";
import { isolate } from "./isolate.ts";

export interface OpencodeOptions {
  /** The launcher, or the executable itself. */
  readonly executable: string;
  /** What `/global/health` must report. */
  readonly version: string;
  /** Holds everything that OpenCode writes: home, configuration, data, cache, temporary files. */
  readonly state: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Milliseconds. */
  readonly startTimeout: number;
}

export interface OpencodeServer {
  readonly address: OpencodeAddress;
  readonly version: string;
  /** The process group. */
  readonly group: number;
  /** Rejects when the server ends without being asked to. */
  readonly lost: Promise<never>;
  /** SIGTERM to the process group, SIGKILL after `grace` milliseconds; resolves when its leader is gone. */
  stop(grace: number): Promise<void>;
}

/**
 * Starts `opencode serve` on a free port of 127.0.0.1 with a password of its own, in its own process group, and waits
 * until it answers: healthy, in the expected version, and to nobody without the password.
 * @throws `bridges.opencode-not-started`, `.opencode-start-timeout`, `.opencode-version`, `.opencode-unprotected`
 */
export async function startOpencode(options: OpencodeOptions, guardian: Guardian): Promise<OpencodeServer> {
  const password = randomBytes(32).toString("base64url");
  const child = spawnServer(options, password, guardian);
  const output = tailOf(child.stderr, 2000);
  const until = performance.now() + options.startTimeout;
  const lost = whenLost(child, output);
  lost.catch(() => {});
  const stop = (grace: number): Promise<void> => stopGroup(child, grace, guardian);
  try {
    const port = await Promise.race([readPort(child, until), lost]);
    const authorization = `Basic ${Buffer.from(`opencode:${password}`).toString("base64")}`;
    const address = { port, authorization };
    const version = await Promise.race([waitHealthy(address, until), lost]);
    assertVersion(options, version);
    await assertProtected(port);
    return { address, version, group: child.pid ?? 0, lost, stop };
  } catch (error) {
    await stop(0);
    throw error;
  }
}

function spawnServer(
  options: OpencodeOptions,
  password: string,
  guardian: Guardian,
): ChildProcess & {
  stdout: NonNullable<ChildProcess["stdout"]>;
  stderr: NonNullable<ChildProcess["stderr"]>;
} {
  const env = { ...options.environment, ...isolate(options.state), ...guardian.env };
  const child = spawn(options.executable, ["serve", "--hostname", "127.0.0.1", "--port", "0", "--pure"], {
    cwd: join(options.state, "work"),
    detached: true,
    env: { ...env, OPENCODE_SERVER_USERNAME: "opencode", OPENCODE_SERVER_PASSWORD: password },
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (child.pid !== undefined) guardian.watch(child.pid);
  return child;
}

/** `opencode server listening on http://127.0.0.1:<port>` is the one line that `serve` prints. */
async function readPort(child: ChildProcess, until: number): Promise<number> {
  let text = "";
  const { promise, resolve } = Promise.withResolvers<number>();
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    text = (text + chunk).slice(0, 4096);
    const port = /^opencode server listening on http:\/\/127\.0\.0\.1:(\d{1,5})\s/m.exec(text)?.[1];
    if (port !== undefined) resolve(Number(port));
  });
  const late = sleep(Math.max(0, until - performance.now()), undefined, { ref: false });
  const port = await Promise.race([promise, late]);
  if (port === undefined)
    throw timedOut(text === "" ? "nothing on stdout" : JSON.stringify(text.slice(0, 200)));
  return port;
}

/** A request that comes too early may never be answered (measured), so each gets little time and there are many. */
async function waitHealthy(address: OpencodeAddress, until: number): Promise<string> {
  for (let last = "no answer"; ; await sleep(50)) {
    if (performance.now() > until) throw timedOut(last);
    try {
      const answer = await sendRequest(address, { method: "GET", path: "/global/health", timeout: 2000 });
      const health = answer.status === 200 ? asRecord(JSON.parse(answer.text)) : undefined;
      if (health?.healthy === true && typeof health.version === "string") return health.version;
      last = `status ${answer.status}: ${JSON.stringify(answer.text.slice(0, 200))}`;
    } catch (error) {
      last = isSealpackError(error) ? error.message : "no JSON";
    }
  }
}

function assertVersion({ version, executable }: OpencodeOptions, got: string): void {
  if (got === version) return;
  throw bridgesError("bridges.opencode-version", {
    subject: executable,
    expected: version,
    got: JSON.stringify(got.slice(0, 100)),
  });
}

async function assertProtected(port: number): Promise<void> {
  const { status } = await sendRequest({ port }, { method: "GET", path: "/session", timeout: 5000 });
  if (status === 401) return;
  throw bridgesError("bridges.opencode-unprotected", {
    subject: "OpenCode: GET /session without a password",
    expected: "status 401",
    got: `status ${status}`,
  });
}

async function whenLost(child: ChildProcess, output: () => string): Promise<never> {
  const { promise, resolve } = Promise.withResolvers<string>();
  child.once("error", (error) => resolve(error.message));
  child.once("exit", (code, signal) => resolve(signal ?? `exit ${code}`));
  const got = await promise;
  throw bridgesError("bridges.opencode-not-started", {
    subject: "opencode serve",
    expected: "a server that goes on running",
    got: `${got}: ${output()}`,
  });
}

async function stopGroup(child: ChildProcess, grace: number, guardian: Guardian): Promise<void> {
  const group = child.pid;
  if (group === undefined) return;
  const ended =
    child.exitCode !== null || child.signalCode !== null
      ? Promise.resolve()
      : new Promise((resolve) => child.once("exit", resolve));
  signalGroup(group, grace > 0 ? "SIGTERM" : "SIGKILL");
  if (grace > 0) await Promise.race([ended, sleep(grace, undefined, { ref: false })]);
  signalGroup(group, "SIGKILL");
  await ended;
  guardian.drop(group);
}

function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch {
    // Nobody is left in it.
  }
}

function timedOut(got: string): Error {
  return bridgesError("bridges.opencode-start-timeout", {
    subject: "opencode serve",
    expected: "a healthy server in time",
    got,
  });
}
