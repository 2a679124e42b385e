import type { Command } from "commander";
import type { Exit, Io } from "./io.ts";

export interface CommandContext {
  readonly io: Io;
  readonly setExit: (code: Exit) => void;
}

/** Adds one command to the program. Loads nothing that only running the command needs. */
export type Registrar = (program: Command, context: CommandContext) => void;
