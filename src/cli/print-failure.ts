import { isSealpackError, type SealpackError } from "../errors.ts";
import { cliError } from "./errors.ts";
import type { Exit, Io } from "./io.ts";

const maxProblems = 50;

/**
 * Prints a failure: two lines for a person, or one document for a program. What sealpack does not foresee is a defect; its
 * stack is shown only on request.
 */
export function printFailure(error: unknown, to: { readonly json: boolean; readonly io: Io }): Exit {
  const failure = toFailure(error, to.io);
  if (to.json) to.io.stdout(`${JSON.stringify({ error: toErrorDocument(failure) }, null, 2)}\n`);
  to.io.stderr(
    `sealpack: ${failure.code}: ${failure.message}\n  ${failure.remedy}\n${toFurtherProblems(failure)}`,
  );
  if (to.io.env.SEALPACK_DEBUG === "1" && error instanceof Error) to.io.stderr(`${error.stack ?? ""}\n`);
  return failure.exit;
}

/** A room that finds several problems at once throws the first; all of them are in its details. */
function toFurtherProblems({ details }: SealpackError): string {
  const problems = Array.isArray(details.problems)
    ? (details.problems as Problem[]).slice(1, maxProblems)
    : [];
  return problems.map((one) => `  also: ${one.code}: ${one.message ?? toMessage(one)}\n`).join("");
}

interface Problem {
  readonly code: string;
  readonly message?: string;
  readonly subject?: string;
  readonly expected?: string;
  readonly got?: string;
}

function toMessage({ subject, expected, got }: Problem): string {
  return `${subject}: expected ${expected}, got ${got}`;
}

export function toErrorDocument(failure: SealpackError) {
  const { code, message, remedy, exit, details } = failure;
  return { code, message, remedy, exit, details };
}

function toFailure(error: unknown, io: Io): SealpackError {
  if (isSealpackError(error)) return error;
  if (io.signal.aborted) {
    return cliError("cli.interrupted", {
      subject: "sealpack",
      expected: "to finish",
      got: "a signal",
      cause: error,
    });
  }
  const got = error instanceof Error ? error.message : String(error);
  return cliError("cli.internal", {
    subject: "sealpack",
    expected: "no unforeseen error",
    got,
    cause: error,
  });
}
