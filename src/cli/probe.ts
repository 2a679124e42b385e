import { resolve } from "node:path";
import type { Command } from "commander";
import type { ContractRow } from "../sandbox/contract-row.ts";
import type { ContractReport } from "../sandbox/probe-sandbox.ts";
import type { CommandContext } from "./command.ts";
import type { Exit, Io } from "./io.ts";

export interface ProbeCommandOptions {
  readonly commands?: string;
  readonly shell?: string;
  readonly workspace?: string;
  readonly manifest?: string;
  readonly json?: true;
}

export function registerProbe(program: Command, { io, setExit }: CommandContext): void {
  program
    .command("probe")
    .description("check in one round trip whether a sandbox meets the contract")
    .argument("<target>", "docker:<container> or ssh:[user@]<host>[:port]")
    .option(
      "--commands <names>",
      "agent CLIs that the run uses, separated by commas (node is always checked)",
    )
    .option("--shell <shell>", "the shell that the provider declares: sh or bash (default: sh)")
    .option("--workspace <dir>", "the workspace directory (default: where commands start, then advisory)")
    .option("--manifest <file>", "check the host needs of this pack too")
    .option("--json", "print one JSON document")
    .addHelpText(
      "after",
      "\nExample:\n  sealpack probe docker:box --commands codex,claude --workspace /workspace",
    )
    .action(async (target: string, options: ProbeCommandOptions) =>
      setExit(await runProbe(target, options, io)),
    );
}

export async function runProbe(target: string, options: ProbeCommandOptions, io: Io): Promise<Exit> {
  const { openSandbox } = await import("../sandbox/open-sandbox.ts");
  const { preferredShell } = await import("../sandbox/preferred-shell.ts");
  const { probeSandbox } = await import("../sandbox/probe-sandbox.ts");
  const needs =
    options.manifest === undefined ? undefined : await readNeeds(resolve(io.cwd, options.manifest));
  const report = await probeSandbox(openSandbox(target, io.env), {
    commands: (options.commands ?? "").split(",").filter((name) => name !== ""),
    shell: preferredShell(options.shell),
    ...(options.workspace === undefined ? {} : { workspace: options.workspace }),
    ...(needs === undefined ? {} : { needs }),
    signal: io.signal,
  });
  io.stdout(options.json ? `${JSON.stringify(report, null, 2)}\n` : toText(report));
  return report.exit;
}

async function readNeeds(file: string) {
  const { readManifestFile } = await import("../pack/read-pack.ts");
  const { toHostNeeds } = await import("../sandbox/host-needs.ts");
  return toHostNeeds(await readManifestFile(file));
}

const verdicts = {
  0: "meets the contract",
  1: "does not meet the contract",
  3: "could not be fully checked",
} as const;

function toText(report: ContractReport): string {
  const width = Math.max(...report.rows.map((row) => row.id.length));
  const lines = report.rows.map((row) => toLine(row, width));
  return `${lines.join("")}${report.target}: ${verdicts[report.exit]}\n`;
}

function toLine(row: ContractRow, width: number): string {
  const line = `${toWord(row).padEnd(8)} ${row.rule.padEnd(3)} ${row.id.padEnd(width)}  ${row.fact}\n`;
  if (row.state === "ok") return line;
  return `${line}${" ".repeat(width + 15)}${row.code}: ${row.remedy}\n`;
}

/** A failed advisory row fails nothing. */
function toWord(row: ContractRow): string {
  if (row.state === "failed") return row.level === "required" ? "FAILED" : "advice";
  return row.state === "unknown" ? "unknown" : "ok";
}
