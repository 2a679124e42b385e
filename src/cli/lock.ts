import { resolve } from "node:path";
import type { Command } from "commander";
import type { LockReport } from "../lock/check-lock.ts";
import type { CommandContext } from "./command.ts";
import type { Exit, Io } from "./io.ts";

interface LockOptions {
  readonly json?: true;
}

export function registerLock(program: Command, { io, setExit }: CommandContext): void {
  const lock = program.command("lock").description("check or refresh a pack's lock");
  lock
    .command("check")
    .description("check the lock against its pin, package.json and the lock policy, for every target")
    .argument("<pack-dir>")
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  sealpack lock check packs/paperclip-runner")
    .action(async (packDir: string, options: LockOptions) => setExit(await runCheck(packDir, options, io)));
  lock
    .command("refresh")
    .description("resolve the lock anew, twice from nothing, and pin its digest in pack.yaml")
    .argument("<pack-dir>")
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  sealpack lock refresh packs/paperclip-runner")
    .action(async (packDir: string, options: LockOptions) => setExit(await runRefresh(packDir, options, io)));
}

async function runCheck(packDir: string, options: LockOptions, io: Io): Promise<Exit> {
  const { readDefinition } = await import("../definition/read-definition.ts");
  const { checkLock } = await import("../lock/check-lock.ts");
  const { toCheckText } = await import("./print-lock.ts");
  const dir = resolve(io.cwd, packDir);
  const { definition } = await readDefinition(dir);
  const report = await checkLock({ packDir: dir, definition });
  if (options.json) io.stdout(`${JSON.stringify(report, null, 2)}\n`);
  else io.stdout(toCheckText(report));
  return isSound(report) ? 0 : 1;
}

/** A target without a release is a fact that the definition states; anything else that stops a target is a fault. */
function isSound({ problems, targets }: LockReport): boolean {
  return (
    problems.length === 0 &&
    targets.every(({ problem }) =>
      problem?.code !== undefined ? problem.code === "lock.absent-for-target" : true,
    )
  );
}

async function runRefresh(packDir: string, options: LockOptions, io: Io): Promise<Exit> {
  const { readNpmOptions } = await import("../fetch/read-npm-options.ts");
  const { refreshLock } = await import("../lock/refresh-lock.ts");
  const { startProgress } = await import("./progress.ts");
  const { toRefreshText } = await import("./print-lock.ts");
  const dir = resolve(io.cwd, packDir);
  const progress = startProgress(io);
  try {
    progress.update({ step: "resolve twice from nothing" });
    const result = await refreshLock(dir, await readNpmOptions(dir));
    progress.end();
    if (options.json) io.stdout(`${JSON.stringify(result, null, 2)}\n`);
    else io.stdout(toRefreshText(result));
    return result.problems.length === 0 ? 0 : 1;
  } finally {
    progress.end();
  }
}
