import { spawnSync } from "node:child_process";

export type Check = readonly [name: string, command: readonly string[]];

/** Runs commands one after the other, prints a line for each and the plain total, and sets the exit code. */
export function runChecks(checks: readonly Check[]): void {
  let failed = 0;
  for (const [name, [command = "", ...args]] of checks) {
    const { status } = spawnSync(command, args, { stdio: "inherit" });
    if (status !== 0) failed += 1;
    process.stdout.write(`${status === 0 ? "ok" : "not ok"} - ${name}\n`);
  }
  process.stdout.write(`${checks.length - failed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}
