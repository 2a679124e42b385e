import { type ErrorTable, errorsOf } from "../../errors.ts";

/** What can go wrong while a bridge is compiled into one file. */
export const compileErrors = {
  "pack.bridge-no-bundler": {
    exit: 3,
    meaning: "A definition has bridges to compile, and the bundler is not installed here.",
    remedy: "Build the pack from a checkout of sealpack, with its development dependencies.",
  },
  "pack.bridge-not-compiled": {
    exit: 1,
    meaning:
      "A bridge's sources do not become one file: one does not parse, or a package is not in the pack.",
    remedy: "Read the bundler's message; a bridge may import only packages of the pack's own lock.",
  },
  "pack.bridge-input-outside": {
    exit: 1,
    meaning: "A bridge would take in a file that is neither its source nor of the pack's packages.",
    remedy: "Import it from the bridges' sources or from a package of the pack's lock.",
  },
} as const satisfies ErrorTable;

export const compileError = errorsOf(compileErrors);
