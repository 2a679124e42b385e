import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { promisify } from "node:util";

const exec = promisify(execFile);
const scripts = new URL("../../../scripts/docker/", import.meta.url).pathname;

/** Starts the engine and makes the base image; either failing fails the suite that asked. Sets DOCKER_HOST for this process. */
export async function startDocker(): Promise<string> {
  const engine = await exec(`${scripts}engine.sh`, ["start"]);
  process.env.DOCKER_HOST = engine.stdout.trim();
  const base = await exec(`${scripts}base.sh`, []);
  return base.stdout.trim();
}

export interface BoxOptions {
  readonly image: string;
  /** More of `docker run`'s options. */
  readonly run?: readonly string[];
  /** A script run as root once the container is up. */
  readonly setup?: string;
  /** What keeps the container up. */
  readonly command?: readonly string[];
}

export interface Box {
  readonly name: string;
  /** A script as root, outside what is tested. */
  root(script: string): Promise<string>;
  kill(): Promise<void>;
  remove(): Promise<void>;
}

/** A container without a network; its name is not guessable, so that suites do not meet. */
export async function createBox(options: BoxOptions): Promise<Box> {
  const name = `sealpack-test-${randomBytes(6).toString("hex")}`;
  const command = options.command ?? ["/bin/sh", "-c", "while :; do sleep 1000; done"];
  await docker([
    "run",
    "-d",
    "--init",
    "--name",
    name,
    "--network",
    "none",
    ...(options.run ?? []),
    options.image,
    ...command,
  ]);
  const full = "PATH=/usr/sbin:/usr/bin:/sbin:/bin;export PATH\n";
  const root = (script: string) => docker(["exec", "-u", "0", name, "/bin/sh", "-c", full + script]);
  const remove = () => docker(["rm", "-f", name]).then(() => undefined);
  try {
    if (options.setup !== undefined) await root(options.setup);
  } catch (error) {
    await remove();
    throw error;
  }
  return { name, root, remove, kill: () => docker(["kill", name]).then(() => undefined) };
}

export async function docker(args: readonly string[]): Promise<string> {
  const { stdout } = await exec("docker", [...args], { maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

/** How many commands were started in a container while `action` ran, as the engine counts them. */
export async function countExecs(name: string, action: () => Promise<unknown>): Promise<number> {
  const since = (Date.now() / 1000).toFixed(3);
  await action();
  const until = (Date.now() / 1000 + 0.001).toFixed(3);
  const filters = ["--filter", `container=${name}`, "--filter", "type=container"];
  const format = ["--format", "{{.Action}}"];
  const events = await docker(["events", "--since", since, "--until", until, ...filters, ...format]);
  return events.split("\n").filter((line) => line.startsWith("exec_start")).length;
}
