import { isSealpackError } from "../errors.ts";

/** The last word of a bridge on stderr, and its exit code; 70 for a defect. */
export function reportFailure(error: unknown): number {
  if (!isSealpackError(error)) {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return 70;
  }
  process.stderr.write(`${error.code}: ${error.message}\n${error.remedy}\n`);
  return error.exit;
}
