/**
 * Measures verify and build on the real pack, each against a known tool in the same run. Needs the default pack's archives in
 * the cache (`npm run build:pack` fills it) and npm; writes nothing but a temporary folder, and prints a table.
 */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { readListingFile } from "../../src/pack/read-pack.ts";
import type { Entry } from "../../src/tree/entry.ts";
import { compare, printTable } from "./compare.ts";
import { type Command, measure, type Run } from "./measure.ts";

const verifyRounds = 7;
const buildRounds = 3;
const cli = [process.execPath, "src/cli/main.ts"] as const;
const work = mkdtempSync(join(tmpdir(), "sealpack-bench-"));

try {
  const pack = join(work, "pack");
  await build(pack);
  await measure([openssl(pack, await readFiles(pack))[0]]);
  const verify = await compare(
    "`sealpack verify`",
    "`openssl dgst -sha256`, two processes, largest first",
    verifyRounds,
    {
      ours: () => measure([{ argv: [...cli, "verify", pack] }]),
      theirs: async () => measure(openssl(pack, await readFiles(pack))),
    },
  );
  await npmCi("warm");
  const assemble = await compare(
    "`sealpack build --offline`",
    "`npm ci --prefer-offline --ignore-scripts`",
    buildRounds,
    {
      ours: (round) => build(join(work, `pack-${round}`)),
      theirs: (round) => npmCi(`npm-${round}`),
    },
  );
  process.stdout.write(`${toHeading(await readListingFile(pack))}\n${printTable([verify, assemble])}`);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Exercising is apart: it starts the agents, which is their time and not the build's. */
function build(out: string): Promise<Run> {
  const options = ["--out", out, "--target", "linux-x64", "--offline", "--allow-dirty", "--no-exercise"];
  return measure([{ argv: [...cli, "build", "packs/paperclip-runner", ...options] }]);
}

/** Every run in a new folder: deleting a large tree first would slow the next one down. */
function npmCi(name: string): Promise<Run> {
  const cwd = join(work, name);
  cpSync("scripts/bench/graph", cwd, { recursive: true });
  return measure([{ argv: ["npm", "ci", "--prefer-offline", "--ignore-scripts"], cwd }]);
}

/** The files in two halves of about equal size, the largest first. */
function openssl(cwd: string, files: readonly Entry[]): [Command, Command] {
  const toHalf = () => ({ bytes: 0, paths: [] as string[] });
  const halves = [toHalf(), toHalf()] as const;
  for (const { path, size } of [...files].sort((a, b) => b.size - a.size)) {
    const half = halves[0].bytes <= halves[1].bytes ? halves[0] : halves[1];
    half.bytes += size;
    half.paths.push(path);
  }
  const toCommand = (paths: string[]): Command => ({ argv: ["openssl", "dgst", "-sha256", ...paths], cwd });
  return [toCommand(halves[0].paths), toCommand(halves[1].paths)];
}

async function readFiles(pack: string): Promise<Entry[]> {
  return (await readListingFile(pack)).entries.filter((entry) => entry.type !== "d");
}

function toHeading({
  entries,
  bytes,
}: {
  readonly entries: readonly Entry[];
  readonly bytes: number;
}): string {
  const machine = `${cpus().length} cores (${cpus()[0]?.model ?? "unknown"}), Node ${process.versions.node}`;
  return `${entries.length} entries, ${(bytes / 1e9).toFixed(2)} GB; ${machine}\n`;
}
