import { resolve } from "node:path";
import type { Command } from "commander";
import { isTargetId, type Target, targetIds, toTarget } from "../definition/target.ts";
import type { BuildRequest } from "../pack/steps.ts";
import type { CommandContext } from "./command.ts";
import { cliError } from "./errors.ts";
import type { Exit, Io } from "./io.ts";
import { type LockOptions, toLockPair } from "./lock-pair.ts";

interface BuildOptions extends LockOptions {
  readonly out: string;
  readonly target?: string;
  readonly sourceRevision?: string;
  readonly assertClean?: true;
  readonly offline?: true;
  readonly cache?: string;
  readonly allowDirty?: true;
  readonly exercise: boolean;
  readonly allowNetwork?: true;
  readonly json?: true;
}

export function registerBuild(program: Command, { io, setExit }: CommandContext): void {
  program
    .command("build")
    .description("build and seal a pack from its definition")
    .argument("<pack-dir>", "the folder with pack.yaml, package.json and the lock")
    .requiredOption("--out <dir>", "where the pack goes; an earlier pack there is replaced, nothing else is")
    .option("--target <target>", `one of ${targetIds.join(", ")} (default: this machine's)`)
    .option("--source-revision <sha>", "the commit the pack is built from (default: HEAD)")
    .option("--assert-clean", "where git cannot be read: vouch that the tree is that commit")
    .option("--lock <file>", "a lock to use in place of the pack's own, with --lock-sha256")
    .option("--lock-sha256 <hex>", "the SHA-256 that the given lock must have")
    .option("--offline", "take every archive from the cache, reach no network")
    .option("--cache <dir>", "where archives are kept (default: $XDG_CACHE_HOME/sealpack)")
    .option("--allow-dirty", "build from changed inputs; admission refuses the pack (release: false)")
    .option("--no-exercise", "do not run the commands; admission refuses the pack (release: false)")
    .option("--allow-network", "exercise even where the network cannot be cut off")
    .option("--json", "print one JSON document")
    .addHelpText(
      "after",
      "\nExample:\n  sealpack build packs/paperclip-runner --out out/paperclip-runner-linux-x64",
    )
    .action(async (packDir: string, options: BuildOptions) => setExit(await runBuild(packDir, options, io)));
}

async function runBuild(packDir: string, options: BuildOptions, io: Io): Promise<Exit> {
  const { defaultCacheDir } = await import("../fetch/default-cache-dir.ts");
  const { buildPack } = await import("../pack/build-pack.ts");
  const { startProgress } = await import("./progress.ts");
  const { printBuild } = await import("./print-build.ts");
  const started = performance.now();
  const cache =
    options.cache === undefined ? defaultCacheDir(io.env, io.home) : resolve(io.cwd, options.cache);
  const request = toRequest(packDir, options, cache, io);
  const progress = startProgress(io);
  try {
    const result = await buildPack({ ...request, onProgress: progress.update });
    progress.end();
    printBuild(result, { json: options.json === true, milliseconds: performance.now() - started, io });
    return 0;
  } finally {
    progress.end();
  }
}

function toRequest(
  packDir: string,
  options: BuildOptions,
  cache: string,
  io: Io,
): Omit<BuildRequest, "onProgress"> {
  const lock = toLockPair(options, io);
  return {
    packDir: resolve(io.cwd, packDir),
    out: resolve(io.cwd, options.out),
    target: parseTarget(options.target),
    ...(options.sourceRevision === undefined ? {} : { sourceRevision: options.sourceRevision }),
    ...(lock === undefined ? {} : { lock }),
    assertClean: options.assertClean === true,
    allowDirty: options.allowDirty === true,
    offline: options.offline === true,
    cache,
    exercise: options.exercise,
    allowNetwork: options.allowNetwork === true,
    cwd: io.cwd,
    home: io.home,
    signal: io.signal,
  };
}

function parseTarget(value: string | undefined): Target {
  const id = value ?? hostTargetId();
  if (isTargetId(id)) return toTarget(id);
  const expected = `one of ${targetIds.join(", ")}`;
  throw cliError("cli.usage", { subject: "--target", expected, got: JSON.stringify(id) });
}

/** Node's own report tells the libc: glibc has a version there, musl has none. */
function hostTargetId(): string {
  const report = process.report?.getReport() as { header?: { glibcVersionRuntime?: string } } | undefined;
  const isMusl = process.platform === "linux" && report?.header?.glibcVersionRuntime === undefined;
  return `${process.platform}-${process.arch}${isMusl ? "-musl" : ""}`;
}
