import { resolve } from "node:path";
import { cliError } from "./errors.ts";
import type { Io } from "./io.ts";

export interface LockOptions {
  readonly lock?: string;
  readonly lockSha256?: string;
}

/** Both or neither (requirement D5). An empty value is an error, never a default. */
export function toLockPair(
  { lock, lockSha256 }: LockOptions,
  io: Io,
): { file: string; sha256: string } | undefined {
  if (lock === undefined && lockSha256 === undefined) return undefined;
  if (lock === undefined || lockSha256 === undefined || lock === "") {
    const got = lock === undefined || lock === "" ? "--lock-sha256 alone" : "--lock alone";
    throw cliError("cli.half-a-lock", { subject: "--lock", expected: "--lock and --lock-sha256", got });
  }
  if (!/^[0-9a-f]{64}$/.test(lockSha256)) {
    const got = JSON.stringify(lockSha256);
    throw cliError("cli.usage", { subject: "--lock-sha256", expected: "64 lowercase hex digits", got });
  }
  return { file: resolve(io.cwd, lock), sha256: lockSha256 };
}
