/** Types, lint and format without warnings, and generated files as the sources give them. One result for each. */
import { spawnSync } from "node:child_process";

const checks: readonly (readonly [string, readonly string[]])[] = [
  ["types", ["tsc", "--noEmit"]],
  ["lint and format", ["biome", "check", "--error-on-warnings", "."]],
  ["generated files", ["node", "scripts/generate.ts", "--check"]],
];

let failed = 0;
for (const [name, [command = "", ...args]] of checks) {
  const { status } = spawnSync(command, args, { stdio: "inherit" });
  if (status !== 0) failed += 1;
  process.stdout.write(`${status === 0 ? "ok" : "not ok"} - ${name}\n`);
}
process.stdout.write(`${checks.length - failed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
