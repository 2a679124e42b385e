import { spawn } from "node:child_process";
import { lstatSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** One run of the real command line, as the kernel saw it. */
export interface BoundedRun {
  /** Undefined where it had to be killed. */
  readonly exit: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
  /** Of the processor, in user and kernel mode, all threads together. */
  readonly processorSeconds: number;
  /** Highest resident memory (VmHWM), in MiB. */
  readonly memory: number;
}

const main = join(import.meta.dirname, "../../src/cli/main.ts");
const killMs = 120_000;

/** Writes VmHWM and processor time to descriptor 3 at the end: the kernel's figures for this program, from exec on. */
const report = `
  import { readFileSync, writeSync } from "node:fs";
  process.on("exit", () => {
    const { user, system } = process.cpuUsage();
    const [, memory] = /VmHWM:\\s+(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"));
    writeSync(3, [memory, user + system].join(" "));
  });
`;

/** Runs `sealpack` in `cwd` with a home and a folder for temporary files of its own, `<cwd>/home` and `<cwd>/tmp`. */
export async function runBounded(cwd: string, args: readonly string[]): Promise<BoundedRun> {
  for (const name of ["home", "tmp"]) mkdirSync(join(cwd, name), { recursive: true });
  const preload = `data:text/javascript,${encodeURIComponent(report)}`;
  const env = { PATH: process.env.PATH, HOME: join(cwd, "home"), TMPDIR: join(cwd, "tmp") };
  const started = performance.now();
  const child = spawn(process.execPath, ["--import", preload, main, ...args], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const texts = [1, 2, 3].map((descriptor) => collect(child.stdio[descriptor] as NodeJS.ReadableStream));
  const timer = setTimeout(() => child.kill("SIGKILL"), killMs);
  const exit = await new Promise<number | null>((resolve) => child.once("close", resolve));
  clearTimeout(timer);
  const seconds = (performance.now() - started) / 1000;
  const [stdout = "", stderr = "", figures = ""] = await Promise.all(texts);
  const [kilobytes = 0, microseconds = 0] = figures.split(" ").map(Number);
  const processorSeconds = microseconds / 1e6;
  return { exit: exit ?? undefined, stdout, stderr, seconds, processorSeconds, memory: kilobytes / 1024 };
}

/** Every path below a folder with its kind, size and time of change, apart from the named children of the folder. */
export function surroundings(dir: string, except: readonly string[]): string[] {
  const rows: string[] = [];
  for (const name of readdirSync(dir).sort()) {
    if (except.includes(name)) continue;
    const path = join(dir, name);
    const stats = lstatSync(path);
    rows.push(`${path} ${stats.mode} ${stats.isDirectory() ? "" : `${stats.size} ${stats.mtimeMs}`}`);
    if (stats.isDirectory()) rows.push(...surroundings(path, []));
  }
  return rows;
}

async function collect(stream: NodeJS.ReadableStream): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString("utf8");
}
