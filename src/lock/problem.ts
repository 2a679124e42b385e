import { type LockCode, lockError, lockErrors } from "./errors.ts";

/** One thing wrong with a lock. `subject` is a location, a name@version, or a key of package.json. */
export interface LockProblem {
  readonly code: LockCode;
  readonly subject: string;
  readonly expected: string;
  readonly got: string;
  readonly remedy?: string;
}

/** Reports all problems at once: the first is the error's own, all are in `details.problems`. */
export function assertNoProblem(problems: readonly LockProblem[]): void {
  const [first] = problems;
  if (first === undefined) return;
  const { code, subject, expected, got } = first;
  const remedy = first.remedy ?? lockErrors[code].remedy;
  const more = problems.length > 1 ? ` (The first of ${problems.length} problems.)` : "";
  throw lockError(code, {
    subject,
    expected,
    got,
    remedy: `${remedy}${more}`,
    details: { problems: problems.slice(0, 200).map(toReported) },
  });
}

function toReported(problem: LockProblem) {
  const { code, subject, expected, got } = problem;
  return {
    ...problem,
    message: `${subject}: expected ${expected}, got ${got}`,
    remedy: problem.remedy ?? lockErrors[code].remedy,
  };
}
