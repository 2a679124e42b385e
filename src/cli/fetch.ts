import { resolve } from "node:path";
import type { Command } from "commander";
import { isTargetId, type Target, targetIds, toTarget } from "../definition/target.ts";
import type { CommandContext } from "./command.ts";
import { cliError } from "./errors.ts";
import { collect } from "./image-target.ts";
import type { Exit, Io } from "./io.ts";
import { type LockOptions, toLockPair } from "./lock-pair.ts";

interface FetchOptions extends LockOptions {
  readonly to: string;
  readonly target: string;
  readonly archive?: readonly string[];
  readonly without?: readonly string[];
  readonly sourceRevision?: string;
  readonly offline?: true;
  readonly cache?: string;
  readonly json?: true;
}

export function registerFetch(program: Command, { io, setExit }: CommandContext): void {
  program
    .command("fetch")
    .description("fill a folder with everything that an image's build needs, so that it needs no network")
    .argument("<pack-dir>", "the folder with pack.yaml, package.json and the lock")
    .requiredOption("--to <dir>", "the vendored folder; a fleet.yaml beside it brings its packs and archives")
    .option("--target <target>", `one of ${targetIds.join(", ")}`, "linux-x64")
    .option("--lock <file>", "a lock to use in place of the pack's own, with --lock-sha256")
    .option("--lock-sha256 <hex>", "the SHA-256 that the given lock must have")
    .option("--archive <name=file>", "a fleet archive that this machine cannot download", collect)
    .option("--without <name>", "leave a fleet archive out", collect)
    .option("--source-revision <sha>", "the commit that runnerd reports (default: HEAD)")
    .option("--offline", "take every package from the cache, reach no network")
    .option("--cache <dir>", "where packages are kept (default: $XDG_CACHE_HOME/sealpack)")
    .option("--json", "print one JSON document")
    .addHelpText(
      "after",
      "\nExample:\n  sealpack fetch packs/paperclip-runner --to docker/daytona-runner/vendor",
    )
    .action(async (packDir: string, options: FetchOptions) => setExit(await runFetch(packDir, options, io)));
}

export async function runFetch(packDir: string, options: FetchOptions, io: Io): Promise<Exit> {
  const { defaultCacheDir } = await import("../fetch/default-cache-dir.ts");
  const { planVendor } = await import("../image/vendor/plan-vendor.ts");
  const { fillVendor } = await import("../image/vendor/fill-vendor.ts");
  const { toPrograms, toRevision } = await import("./tool-bundle.ts");
  const { startProgress } = await import("./progress.ts");
  const to = resolve(io.cwd, options.to);
  const lock = toLockPair(options, io);
  const plan = await planVendor({
    packDir: resolve(io.cwd, packDir),
    to,
    target: parseTarget(options.target),
    ...(lock === undefined ? {} : { lock }),
  });
  const progress = startProgress(io);
  try {
    const report = await fillVendor(plan, {
      to,
      cache: options.cache === undefined ? defaultCacheDir(io.env, io.home) : resolve(io.cwd, options.cache),
      offline: options.offline === true,
      npm: options.offline === true ? {} : await readNpm(packDir, io),
      given: new Map((options.archive ?? []).map((text) => parseArchive(text, io))),
      without: options.without ?? [],
      programs: toPrograms(await toRevision(options.sourceRevision, resolve(io.cwd, packDir))),
      signal: io.signal,
      onProgress: progress.update,
    });
    progress.end();
    if (options.json) io.stdout(`${JSON.stringify({ to, ...report }, null, 2)}\n`);
    else io.stdout(toText(to, report));
    return 0;
  } finally {
    progress.end();
  }
}

async function readNpm(packDir: string, io: Io) {
  const { readNpmOptions } = await import("../fetch/read-npm-options.ts");
  return readNpmOptions(resolve(io.cwd, packDir), io.env);
}

function toText(
  to: string,
  report: {
    runnerd: boolean;
    packages: number;
    archives: readonly { name: string; version: string; from: string }[];
  },
): string {
  const archives = report.archives
    .map(({ name, version, from }) => `  ${name} ${version}: ${from}\n`)
    .join("");
  return `${to}: ${report.packages} packages, the interpreter, the lock and the tool\n${archives}${report.runnerd ? "" : "  paperclip-runnerd: left out, only a checkout can make it\n"}`;
}

function parseArchive(text: string, io: Io): [string, string] {
  const [, name, file] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (name !== undefined && file !== undefined) return [name, resolve(io.cwd, file)];
  throw cliError("cli.usage", { subject: "--archive", expected: "name=file", got: JSON.stringify(text) });
}

function parseTarget(id: string): Target {
  if (isTargetId(id)) return toTarget(id);
  throw cliError("cli.usage", {
    subject: "--target",
    expected: `one of ${targetIds.join(", ")}`,
    got: JSON.stringify(id),
  });
}
