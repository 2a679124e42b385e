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
    meaning:
      "The command was interrupted before it was done, and dies of the signal. The previous output is untouched.",
    remedy: "Run it again.",
  },
  "cli.output": {
    exit: 3,
    meaning: "What the command prints could not be written.",
    remedy: "Write to a place with space; what the command did is done.",
  },
  "cli.system": {
    exit: 3,
    meaning: "The system refused something that the command needs.",
    remedy: "Look at the path and the reason; TMPDIR must name a writable directory.",
  },
  "cli.no-home": {
    exit: 2,
    meaning: "There is no home directory to keep the cache in.",
    remedy: "Name a directory with --cache, or set HOME or XDG_CACHE_HOME to an absolute path.",
  },
  "cli.internal": {
    exit: 3,
    meaning: "Something happened that sealpack does not foresee: a defect.",
    remedy: "Report it with the command and this message; SEALPACK_DEBUG=1 shows where it happened.",
  },
} as const satisfies ErrorTable;

export const cliError = errorsOf(cliErrors);
