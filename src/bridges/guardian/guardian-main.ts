import { runGuardian } from "./run-guardian.ts";
import { guardianFlag } from "./start-guardian.ts";

/** The guardian as a program of its own, for callers that are not bundled into one file. */
if (process.argv[2] === guardianFlag) await runGuardian(process.argv.slice(3));
