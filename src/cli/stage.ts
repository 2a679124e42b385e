import type { Command } from "commander";
import {
  type AdmitCommandOptions,
  addAdmitOptions,
  packVariable,
  runAdmit,
  targetArgument,
} from "./admit.ts";
import type { CommandContext } from "./command.ts";

export function registerStage(program: Command, { io, setExit }: CommandContext): void {
  const command = program
    .command("stage")
    .description("put a pack into a sandbox, unless one that may be used is there already")
    .argument(...targetArgument)
    .option("--pack <dir>", `the build-owned pack (default: $${packVariable})`);
  addAdmitOptions(command)
    .addHelpText("after", "\nExample:\n  sealpack stage ssh:agent@host --pack out/pack")
    .action(async (target: string, options: AdmitCommandOptions) =>
      setExit(await runAdmit(target, { ...options, stage: true }, io)),
    );
}
