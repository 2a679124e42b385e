import { resolve } from "node:path";
import type { Command } from "commander";
import type { CommandContext } from "./command.ts";
import type { Exit, Io } from "./io.ts";

interface DiffOptions {
  readonly json?: true;
}

export function registerDiff(program: Command, { io, setExit }: CommandContext): void {
  program
    .command("diff")
    .description("say how two packs or manifests differ: by component first, then by file")
    .argument("<a>", "a pack directory or a manifest file")
    .argument("<b>", "the other one")
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  sealpack diff out/before out/after")
    .action(async (a: string, b: string, options: DiffOptions) => setExit(await runDiff(a, b, options, io)));
}

async function runDiff(a: string, b: string, options: DiffOptions, io: Io): Promise<Exit> {
  const { diffPacks } = await import("../pack/diff-packs.ts");
  const differences = await diffPacks(resolve(io.cwd, a), resolve(io.cwd, b));
  const { components, files } = differences;
  const same = components.length === 0 && files.length === 0;
  if (options.json) {
    io.stdout(`${JSON.stringify({ same, ...differences }, null, 2)}\n`);
    return same ? 0 : 1;
  }
  for (const { kind, name, field, left, right } of components) {
    const subject = [kind, name, field].filter((part) => part !== "").join(" ");
    io.stdout(`${subject}: ${toText(left)} → ${toText(right)}\n`);
  }
  for (const { change, path } of files) io.stdout(`${change} ${path}\n`);
  io.stdout(same ? "no difference\n" : `${components.length} in the manifest, ${files.length} files\n`);
  return same ? 0 : 1;
}

/** A whole component is told by its name and version; its digests are for `--json`. */
function toText(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") return value;
  const { name, version } = (value ?? {}) as { name?: unknown; version?: unknown };
  return typeof version === "string"
    ? `${typeof name === "string" ? `${name}@` : ""}${version}`
    : JSON.stringify(value);
}
