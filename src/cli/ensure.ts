import type { Command } from "commander";
import type { EnsureResult } from "../sandbox/ensure-command.ts";
import type { CommandContext } from "./command.ts";
import type { Exit, Io } from "./io.ts";

export interface EnsureCommandOptions {
  readonly install?: string;
  readonly shell?: string;
  readonly json?: true;
}

export function registerEnsure(program: Command, { io, setExit }: CommandContext): void {
  program
    .command("ensure")
    .description("install a command in a sandbox if it is missing, then check that it is there")
    .argument("<target>", "docker:<container> or ssh:[user@]<host>[:port]")
    .argument("<command>", "the command that must be on PATH")
    .option(
      "--install <script>",
      "the owner's install command; run once, and only where the command is missing",
    )
    .option("--shell <shell>", "the shell that the provider declares: sh or bash (default: sh)")
    .option("--json", "print one JSON document")
    .addHelpText(
      "after",
      "\nExample:\n  sealpack ensure docker:box gemini --install 'npm install -g @google/gemini-cli'",
    )
    .action(async (target: string, command: string, options: EnsureCommandOptions) =>
      setExit(await runEnsure(target, command, options, io)),
    );
}

export async function runEnsure(
  target: string,
  command: string,
  options: EnsureCommandOptions,
  io: Io,
): Promise<Exit> {
  const { openSandbox } = await import("../sandbox/open-sandbox.ts");
  const { preferredShell } = await import("../sandbox/preferred-shell.ts");
  const { ensureCommand } = await import("../sandbox/ensure-command.ts");
  const { assertCommand } = await import("../sandbox/assert-command.ts");
  const sandbox = openSandbox(target, io.env);
  const shell = preferredShell(options.shell);
  const { install } = options;
  const result = await ensureCommand({
    sandbox,
    command,
    shell,
    ...(install === undefined ? {} : { install }),
    signal: io.signal,
  });
  printInstall(result, command, io);
  const remedy = toRemedy(result, install);
  const path = await assertCommand(sandbox, command, { shell, signal: io.signal, remedy });
  if (options.json) io.stdout(`${JSON.stringify({ target, command, path, state: result.state }, null, 2)}\n`);
  else io.stdout(`${target}: ${command} is ${path} (${result.state})\n`);
  return 0;
}

/** A failed install is logged, not fatal: the probe after it decides (S5). */
function printInstall(result: EnsureResult, command: string, io: Io): void {
  if (result.state === "present" || result.state === "absent") return;
  if (result.log.trim() !== "") io.stderr(`${toPlain(result.log.trimEnd())}\n`);
  const code = result.exitCode === null ? "" : `, exit code ${result.exitCode}`;
  io.stderr(`install of ${command}: ${result.state}${code}\n`);
}

function toRemedy(result: EnsureResult, install: string | undefined): string {
  if (install === undefined) return "Put it on PATH in the image, or give an install command with --install.";
  return `The install command ended as ${result.state}. It needs network, write access and package tooling in the sandbox, which its owner supplies.`;
}

/** The sandbox wrote it: what steers a terminal is shown as a question mark. */
function toPlain(text: string): string {
  return text.replaceAll(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, "?");
}
