/**
 * Switches one rule off at a time and expects its test to go red: a test that stays green tests nothing.
 * In scratch copies of the repository, one for each core; the working tree is not touched.
 */
import { type ChildProcess, fork } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { allMutations } from "./rules/all.ts";
import type { Mutation } from "./rules/mutation.ts";
import type { Outcome } from "./rules/mutation-worker.ts";

const repository = join(import.meta.dirname, "..");
const boundMs = 60_000;
/** What the tests of the rules read. */
const copied = [
  "src",
  "test",
  "scripts",
  "packs",
  "manifests",
  "docker",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
];

/** `npm run test:rules -- lock.` runs the rules whose name or file holds the text. */
const wanted = process.argv[2] ?? "";
const mutations = allMutations.filter(({ rule, file }) => `${file} ${rule}`.includes(wanted));

const scratch = mkdtempSync(join(tmpdir(), "sealpack-rules-"));
let passed = 0;
let failed = 0;

class Lane {
  readonly #root: string;
  #child: ChildProcess | undefined;

  constructor(root: string) {
    this.#root = root;
    mkdirSync(join(root, "tmp"), { recursive: true });
    for (const name of copied)
      cpSync(join(repository, name), join(root, name), {
        recursive: true,
        filter: (path) =>
          !path.endsWith("/vendor") ||
          path.startsWith(join(repository, "src")) ||
          path.startsWith(join(repository, "test")),
      });
    symlinkSync(join(repository, "node_modules"), join(root, "node_modules"));
  }

  /** One run, or the reason why there is none. A child that hangs is ended and the copy made good. */
  async run(job: Mutation | readonly string[], ms: number): Promise<Outcome | string> {
    const child = this.#child ?? (await this.#start());
    if (child === undefined) return "the tests could not be started";
    const outcome = await answerOf<Outcome>(child, ms, () => child.send(job));
    if (outcome !== undefined) return outcome;
    this.stop();
    if ("file" in job) cpSync(join(repository, job.file), join(this.#root, job.file));
    return `no end within ${ms / 1000} s`;
  }

  async #start(): Promise<ChildProcess | undefined> {
    const worker = join(import.meta.dirname, "rules", "mutation-worker.ts");
    const child = fork(worker, [this.#root], {
      cwd: this.#root,
      detached: true,
      // What a rule would have kept in its folder lands in the scratch copy.
      env: { ...process.env, TMPDIR: join(this.#root, "tmp") },
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.#child = child;
    return (await answerOf(child, boundMs, () => {})) === undefined ? undefined : child;
  }

  stop(): void {
    const pid = this.#child?.pid;
    this.#child = undefined;
    if (pid === undefined) return;
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  }
}

async function answerOf<Answer>(
  child: ChildProcess,
  ms: number,
  ask: () => void,
): Promise<Answer | undefined> {
  return await new Promise((resolve) => {
    const end = (answer: Answer | undefined) => {
      clearTimeout(timer);
      child.removeAllListeners();
      resolve(answer);
    };
    const timer = setTimeout(() => end(undefined), ms);
    child.once("message", (answer) => end(answer as Answer));
    child.once("exit", () => end(undefined));
    ask();
  });
}

/** Why a mutation did not show its rule, or undefined where every named file went red. */
function toFault({ file, from, tests }: Mutation, outcome: Outcome | string): string | undefined {
  const found = readFileSync(join(repository, file), "utf8").split(from).length - 1;
  if (found !== 1) return `the snippet stands ${found} times in ${file}`;
  if (typeof outcome === "string") return outcome;
  if (outcome.broken.length > 0) return `not a red test but a broken one: ${outcome.broken[0]}`;
  const green = tests.filter((test) => outcome.failed[test.split(" > ")[0] ?? ""] === undefined);
  return green.length === 0 ? undefined : `stays green: ${green.join(", ")} (${outcome.ran} ran)`;
}

function report(name: string, fault: string | undefined): void {
  if (fault === undefined) passed += 1;
  else failed += 1;
  process.stdout.write(
    `${fault === undefined ? "ok" : "not ok"} - ${name}${fault === undefined ? "" : `: ${fault}`}\n`,
  );
}

/** Without a mutation everything is green; otherwise a red test would say nothing. */
async function checkGreen(lane: Lane): Promise<void> {
  const files = [
    ...new Set(mutations.flatMap(({ tests }) => tests.map((test) => test.split(" > ")[0] ?? ""))),
  ];
  const outcome = await lane.run(
    files.filter((file) => existsSync(join(repository, file))),
    5 * boundMs,
  );
  const fault =
    typeof outcome === "string"
      ? outcome
      : [...Object.values(outcome.failed).flat(), ...outcome.broken].slice(0, 3).join(", ");
  report("with all rules on, every test is green", fault === "" ? undefined : fault);
}

async function work(lane: Lane, queue: Mutation[]): Promise<void> {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const outcome = await lane.run(next, boundMs);
    report(`${next.rule} (${next.file})`, toFault(next, outcome));
  }
}

try {
  const count = Math.max(1, Math.min(4, availableParallelism()));
  const lanes = Array.from({ length: count }, (_, index) => new Lane(join(scratch, String(index))));
  const queue = [...mutations];
  const [first, ...others] = lanes as [Lane, ...Lane[]];
  const green = checkGreen(first).then(() => work(first, queue));
  await Promise.all([green, ...others.map((lane) => work(lane, queue))]);
  for (const lane of lanes) lane.stop();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 && passed > 1 ? 0 : 1;
