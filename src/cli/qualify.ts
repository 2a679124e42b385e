import { resolve } from "node:path";
import type { Command } from "commander";
import type { CapabilityReport, CheckReport } from "../qualify/report.ts";
import type { CommandContext } from "./command.ts";
import { formatSeconds } from "./format.ts";
import type { Exit, Io } from "./io.ts";

interface QualifyOptions {
  readonly timeout: string;
  readonly json?: true;
}

export function registerQualify(program: Command, { io, setExit }: CommandContext): void {
  program
    .command("qualify")
    .description("run a pack's executables for real, against mock providers on loopback")
    .argument("<dir>", "a sealed pack")
    .argument("<subject>", "opencode, claude-agent-acp, codex-acp, acpx or all")
    .option("--timeout <seconds>", "how long one step of a check may take", "60")
    .option("--json", "print the capability report as one JSON document")
    .addHelpText("after", "\nExample:\n  sealpack qualify out/paperclip-runner-linux-x64 all --json")
    .action(async (dir: string, subject: string, options: QualifyOptions) =>
      setExit(await runQualify(dir, subject, options, io)),
    );
}

async function runQualify(dir: string, subject: string, options: QualifyOptions, io: Io): Promise<Exit> {
  const { assertPackThere } = await import("../pack/read-pack.ts");
  const { parseSubjects, parseTimeout } = await import("../qualify/parse-subjects.ts");
  const { qualifyPack } = await import("../qualify/qualify-pack.ts");
  const opencode = io.env.PAPERCLIP_TEST_OPENCODE_BINARY;
  const report = await qualifyPack({
    subjects: parseSubjects(subject),
    time: parseTimeout(options.timeout),
    root: await assertPackThere(resolve(io.cwd, dir)),
    ...(opencode ? { opencode: resolve(io.cwd, opencode) } : {}),
    onCheck: (name, check) => io.stderr(toLine(name, check)),
  });
  io.stdout(options.json ? `${JSON.stringify(report, null, 2)}\n` : toSummary(dir, report));
  return report.ok ? 0 : 1;
}

function toLine(subject: string, { name, status, milliseconds, code, message }: CheckReport): string {
  const why = code === undefined ? "" : `\n    ${code}: ${message}`;
  return `${status}  ${subject}: ${name} (${formatSeconds(milliseconds)})${why}\n`;
}

function toSummary(dir: string, { ok, network, subjects }: CapabilityReport): string {
  const lines = subjects.map(({ name, version, model, checks, ok }) => {
    const passed = checks.filter(({ status }) => status === "passed").length;
    return `${ok ? "qualified" : "not qualified"}  ${name} ${version}, model ${model}: ${passed} of ${checks.length} checks\n`;
  });
  const reach = network === "loopback" ? "nothing but loopback was in reach" : "the network was in reach";
  return `${lines.join("")}${dir}: ${ok ? "qualified" : "not qualified"}; ${reach}; no paid request\n`;
}
