/**
 * Measures admission of the real pack in a container, each part against its bound, by turns in one run.
 *
 *   node scripts/bench/admission.ts <container> <pack-dir> [user]
 *
 * The container has the pack at the default place, owned by root. Prints a table and one line for each bound; exit 1 where one is not held.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { admit } from "../../src/admission/admit.ts";
import { toExpectedPack } from "../../src/admission/expected-pack.ts";
import { readExpected } from "../../src/admission/read-expected.ts";
import { verifierProgram } from "../../src/admission/remote-programs.generated.ts";
import { toProgramCall, toProgramVariable } from "../../src/admission/run-program.ts";
import { dockerSandbox } from "../../src/sandbox/docker-sandbox.ts";
import type { SandboxExecutor } from "../../src/sandbox/executor.ts";
import { median } from "./compare.ts";

const rounds = Number(process.env.SEALPACK_BENCH_ROUNDS ?? 7);
const farMs = 200;
const [container = "", pack = "", user = "agent"] = process.argv.slice(2);
const root = "/opt/paperclip-runner/provider-pack";
const expected = toExpectedPack(await readExpected(pack));
const sandbox = dockerSandbox(container, { user });
const cli = join(import.meta.dirname, "../../src/cli/main.ts");

const series = {
  "docker exec of nothing": () => timed(() => run("docker", ["exec", "-u", user, container, "/bin/true"])),
  "base hash of the interpreter": () => inside("openssl dgst -sha256 -r $n >/dev/null"),
  "verification in the container": () => inside(toVerification()),
  "`sealpack verify` on the host": () =>
    timed(() => run(process.execPath, [cli, "verify", pack, "--manifest", join(pack, "sealpack.json")])),
  admission: () => timed(() => decide(sandbox)),
  "admission, 200 ms away": () => timed(() => decide(far(sandbox))),
  "released controllers' check": () => inside(toReleasedCheck()),
};
type Name = keyof typeof series;

const results = Object.fromEntries(Object.keys(series).map((name) => [name, [] as number[]])) as Record<
  Name,
  number[]
>;
await decide(sandbox);
for (let round = 0; round < rounds; round += 1) {
  for (const [name, take] of Object.entries(series)) results[name as Name].push(await take());
  process.stderr.write(`bench: round ${round + 1} of ${rounds}\n`);
}
process.stdout.write(
  `| | milliseconds: min / median / max |\n|---|---|\n${Object.entries(results).map(toRow).join("")}`,
);
/** The least disturbed run of each: what else a machine does only ever adds. */
const at = (name: Name) => Math.min(...results[name]);
const allowed =
  at("verification in the container") + at("base hash of the interpreter") + 2 * at("docker exec of nothing");
const bounds: readonly (readonly [string, number, number])[] = [
  ["admission ≤ verification + hash + two round trips", at("admission"), allowed],
  ["admission 200 ms away ≤ the same + one round trip", at("admission, 200 ms away"), allowed + farMs],
];
for (const [what, got, bound] of bounds) {
  process.stdout.write(
    `${got <= bound ? "ok" : "not ok"} - ${what}: ${Math.round(got)} of ${Math.round(bound)} ms\n`,
  );
}
process.exitCode = bounds.every(([, got, bound]) => got <= bound) ? 0 : 1;

function toRow([name, values]: [string, number[]]): string {
  const spread = [Math.min(...values), median(values), Math.max(...values)].map(Math.round).join(" / ");
  return `| ${name} | ${spread} |\n`;
}

async function timed(action: () => unknown): Promise<number> {
  const started = performance.now();
  await action();
  return performance.now() - started;
}

function run(file: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(file, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${file}: exit ${status}: ${stderr}`);
}

async function decide(executor: SandboxExecutor): Promise<void> {
  const { decision } = await admit({ sandbox: executor, expected: expected.manifest, commands: [] });
  if (decision !== "preinstalled") throw new Error(`expected preinstalled, got ${decision}`);
}

/** What one command takes in the container, by its own clock: without the round trip. */
async function inside(script: string): Promise<number> {
  const text = `n=${root}/${expected.interpreter.path}\ncd /\ns=$(date +%s%N)\n${script}||exit 9\ne=$(date +%s%N)\necho $((e-s))`;
  const result = await sandbox.execute({
    command: "/bin/sh",
    args: ["-c", `${toProgramVariable("program", verifierProgram)}${text}`],
    timeoutMs: 120_000,
    clean: true,
  });
  if (result.exitCode !== 0) throw new Error(`exit ${result.exitCode}: ${Buffer.from(result.stderr)}`);
  return Number(Buffer.from(result.stdout).toString().trim().split("\n").at(-1)) / 1e6;
}

function toVerification(): string {
  const call = toProgramCall("$n", '"$program"');
  return `${call} ${root} ${expected.manifestSha256} root 20000 >/dev/null`;
}

/** Seven artifacts and the dist tree hashed by the pack's own node, one after the other, then one CLI's version. */
function toReleasedCheck(): string {
  const { commands, lock } = expected.manifest.payload;
  const paths = Object.values(commands).map((command) => (command.entry ?? command.executable).path);
  const seven = [...new Set([lock.path, ...paths])].slice(0, 7).map((path) => `${root}/${path}`);
  const program = `const f=require("fs"),c=require("crypto");for(const p of process.argv.slice(1))c.createHash("sha256").update(f.readFileSync(p)).digest("hex");const w=d=>{for(const e of f.readdirSync(d,{withFileTypes:true})){const p=d+"/"+e.name;e.isDirectory()?w(p):c.createHash("sha256").update(f.readFileSync(p)).digest()}};if(f.existsSync("${root}/dist"))w("${root}/dist")`;
  return `$n -e '${program}' ${seven.join(" ")}&&${root}/node_modules/.bin/opencode --version >/dev/null`;
}

function far(executor: SandboxExecutor): SandboxExecutor {
  return {
    ...executor,
    execute: async (command) => {
      await new Promise((resolve) => setTimeout(resolve, farMs));
      return await executor.execute(command);
    },
  };
}
