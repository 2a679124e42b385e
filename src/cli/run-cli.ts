import { Command, CommanderError } from "commander";
import { registerBuild } from "./build.ts";
import type { Registrar } from "./command.ts";
import { registerDiff } from "./diff.ts";
import { registerEnsure } from "./ensure.ts";
import { cliError } from "./errors.ts";
import { registerFetch } from "./fetch.ts";
import { registerImage } from "./image.ts";
import { registerInspect } from "./inspect.ts";
import type { Exit, Io } from "./io.ts";
import { registerLock } from "./lock.ts";
import { printFailure } from "./print-failure.ts";
import { registerProbe } from "./probe.ts";
import { registerQualify } from "./qualify.ts";
import { registerVerify } from "./verify.ts";
import { readVersion } from "./version.ts";

const registrars: readonly Registrar[] = [
  registerBuild,
  registerVerify,
  registerInspect,
  registerDiff,
  registerLock,
  registerFetch,
  registerImage,
  registerQualify,
  registerProbe,
  registerEnsure,
];

/** Parses, calls and prints. Every failure ends as a message and an exit code, never as a stack trace. */
export async function runCli(args: readonly string[], io: Io): Promise<Exit> {
  let exit: Exit = 0;
  const program = createProgram(io, (code) => {
    exit = code;
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError) return toUsageExit(error, args, io);
    return printFailure(error, { json: args.includes("--json"), io });
  }
}

export function createProgram(io: Io, setExit: (code: Exit) => void): Command {
  const program = new Command("sealpack")
    .description("Assemble, seal and verify packs of agent CLIs for remote sandboxes.")
    .version(readVersion())
    .exitOverride()
    .showHelpAfterError("(add --help for what this command takes)")
    .configureOutput({
      writeOut: io.stdout,
      writeErr: io.stderr,
      getErrHasColors: () => false,
      getOutHasColors: () => false,
    })
    .configureHelp({ helpWidth: 100 });
  for (const register of registrars) register(program, { io, setExit });
  return program;
}

/** Commander has printed its message; help and version are no errors. */
function toUsageExit(error: CommanderError, args: readonly string[], io: Io): Exit {
  if (error.exitCode === 0 || error.code === "commander.help") return error.exitCode === 0 ? 0 : 2;
  if (args.includes("--json")) {
    const got = error.message.replace(/^error: /, "");
    printFailure(
      cliError("cli.usage", { subject: "command line", expected: "a known command and options", got }),
      {
        json: true,
        io: { ...io, stderr: () => {} },
      },
    );
  }
  return 2;
}
