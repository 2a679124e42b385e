import { type ErrorTable, errorsOf } from "../errors.ts";

export const cliErrors = {
  "cli.usage": {
    exit: 2,
    meaning: "The command line is not one that sealpack takes.",
    remedy: "See `sealpack help`, or `sealpack <command> --help`.",
  },
  "cli.half-a-lock": {
    exit: 2,
    meaning: "Only one of --lock and --lock-sha256 was given; a lock counts only with its digest.",
    remedy: "Give both, from the same verified artifact.",
  },
  "cli.interrupted": {
    exit: 3,
    meaning: "The command was interrupted before it was done. The previous output is untouched.",
    remedy: "Run it again.",
  },
  "cli.internal": {
    exit: 3,
    meaning: "Something happened that sealpack does not foresee: a defect.",
    remedy: "Report it with the command and this message; SEALPACK_DEBUG=1 shows where it happened.",
  },
} as const satisfies ErrorTable;

export const cliError = errorsOf(cliErrors);
