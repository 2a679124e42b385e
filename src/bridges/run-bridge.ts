import { realpathSync } from "node:fs";
import { runGuardian } from "./guardian/run-guardian.ts";
import { guardianFlag } from "./guardian/start-guardian.ts";
import { reportFailure } from "./report-failure.ts";

/** What a bridge does: its arguments, its own script, and a promise that resolves when a signal tells it to end. */
export type BridgeMain = (args: readonly string[], program: string, ended: Promise<void>) => Promise<void>;

/**
 * The frame of every bridge's program: guardian on demand, signals, the last word on stderr, the exit code. Stdout
 * belongs to the protocol.
 */
export function runBridge(main: BridgeMain): void {
  const program = realpathSync(process.argv[1] ?? "");
  const args = process.argv.slice(2);
  const work = args[0] === guardianFlag ? runGuardian(args.slice(1)) : main(args, program, whenSignalled());
  work.then(
    () => process.exit(0),
    (error: unknown) => process.exit(reportFailure(error)),
  );
}

function whenSignalled(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => resolve());
  return promise;
}
