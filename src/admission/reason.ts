import { type ErrorTable, type ExitCode, SealpackError } from "../errors.ts";
import { manifestErrors } from "../manifest/errors.ts";
import { sandboxErrors } from "../sandbox/errors.ts";
import { treeErrors } from "../tree/errors.ts";
import { type AdmissionCode, admissionErrors } from "./errors.ts";

/** Why a pack, a root or a sandbox is not used. `code` stands in an error table of this or a lower room. */
export interface Reason {
  readonly code: string;
  /** A path in the sandbox, or what else was looked at. */
  readonly subject: string;
  readonly expected: string;
  readonly got: string;
}

const tables: ErrorTable = { ...treeErrors, ...manifestErrors, ...sandboxErrors, ...admissionErrors };

/** How a reason's code ends a process; a code that no table has counts as could-not-check. */
export function exitOfReason(code: string): ExitCode {
  return tables[code]?.exit ?? 3;
}

/**
 * A refusal, with every reason. Its code, exit and remedy are the first reason's.
 */
export class AdmissionError<Report = unknown> extends SealpackError {
  readonly reasons: readonly Reason[];
  readonly report: Report;

  constructor(reasons: readonly [Reason, ...Reason[]], report: Report, remedy?: string) {
    const [first, ...rest] = reasons;
    const entry = tables[first.code];
    super(
      first.code,
      {
        exit: exitOfReason(first.code),
        meaning: entry?.meaning ?? "",
        remedy: remedy ?? entry?.remedy ?? "Look at the sandbox.",
      },
      { ...first, details: { problems: [first, ...rest] } },
    );
    this.reasons = [first, ...rest];
    this.report = report;
  }
}

/**
 * Could-not-check first: what was not checked might have been right, so that such a refusal ends with 3. "Nothing there" last, since it
 * explains the least.
 */
export function orderReasons(reasons: readonly Reason[]): readonly Reason[] {
  return [...reasons].sort((a, b) => weigh(a) - weigh(b));
}

function weigh({ code }: Reason): number {
  if (exitOfReason(code) === 3) return 0;
  return code === "admission.no-pack" ? 2 : 1;
}

/** A refusal by one reason, for who does not know the report. */
export function toRefusal(code: AdmissionCode, facts: Omit<Reason, "code">): AdmissionError {
  return new AdmissionError([{ code, ...facts }], null);
}
