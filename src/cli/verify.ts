import { resolve } from "node:path";
import type { Command } from "commander";
import type { PackReport } from "../manifest/verify-pack.ts";
import type { CommandContext } from "./command.ts";
import type { Exit, Io } from "./io.ts";

interface VerifyOptions {
  readonly manifest?: string;
  readonly json?: true;
}

export function registerVerify(program: Command, { io, setExit }: CommandContext): void {
  program
    .command("verify")
    .description("check a whole pack against its manifest, and against yours")
    .argument("<dir>", "a sealed pack")
    .option("--manifest <file>", "the manifest you trust; without it a pack is found self-consistent only")
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  sealpack verify out/pack --manifest trusted/sealpack.json")
    .action(async (dir: string, options: VerifyOptions) => setExit(await runVerify(dir, options, io)));
}

async function runVerify(dir: string, options: VerifyOptions, io: Io): Promise<Exit> {
  const { assertPackThere, readManifestFile } = await import("../pack/read-pack.ts");
  const { exitOf, verifyPack } = await import("../manifest/verify-pack.ts");
  const root = await assertPackThere(resolve(io.cwd, dir));
  const trusted =
    options.manifest === undefined ? undefined : await readManifestFile(resolve(io.cwd, options.manifest));
  const report = await verifyPack(root, trusted === undefined ? {} : { manifest: trusted });
  if (options.json) io.stdout(`${JSON.stringify(toDocument(dir, report), null, 2)}\n`);
  else io.stdout(toText(dir, report));
  return exitOf(report);
}

function toDocument(dir: string, report: PackReport) {
  const { ok, trusted, findings, manifest } = report;
  return {
    dir,
    ok,
    trust: trusted ? "equal to the given manifest" : "self-consistent only",
    digest: manifest?.digest ?? null,
    counts: toCounts(report),
    findings,
  };
}

function toText(dir: string, report: PackReport): string {
  if (report.ok) return toSoundText(dir, report);
  const lines = report.findings.map(
    ({ code, path, expected, got }) => `${code}  ${path}: expected ${expected}, got ${got}\n`,
  );
  const counts = Object.entries(toCounts(report)).map(([code, count]) => `${count} ${code}`);
  return `${lines.join("")}${dir}: not sound: ${counts.join(", ")}\n`;
}

function toSoundText(dir: string, { manifest, trusted }: PackReport): string {
  const entries = manifest?.payload.tree.entries ?? 0;
  const verdict = trusted
    ? "sound, and exactly the pack of the given manifest"
    : "self-consistent only: no trusted manifest was given, so nothing is said about whose pack this is";
  const release = manifest?.payload.release === false ? " It is no release: admission refuses it." : "";
  return `${dir}: ${entries} entries, ${manifest?.digest ?? ""}: ${verdict}.${release}\n`;
}

function toCounts(report: PackReport): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { code } of report.findings) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}
