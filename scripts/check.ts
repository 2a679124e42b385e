/** Types, lint and format without warnings, and generated files as the sources give them. One result for each. */
import { runChecks } from "./run-checks.ts";

runChecks([
  ["types", ["tsc", "--noEmit"]],
  ["lint and format", ["biome", "check", "--error-on-warnings", "."]],
  ["generated files", ["node", "scripts/generate.ts", "--check"]],
]);
