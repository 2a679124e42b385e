import type { LockReport, TargetVerdict } from "../lock/check-lock.ts";
import type { LockProblem } from "../lock/problem.ts";
import type { RefreshedLock } from "../lock/refresh-lock.ts";
import { formatTable } from "./format.ts";

/** The verdict on a lock: all its problems, or what each target gets from it. */
export function toCheckText(report: LockReport): string {
  const head = `${report.file}: sha256 ${report.sha256}, as pinned\n`;
  if (report.problems.length > 0) return `${head}${toProblems(report.problems)}`;
  return `${head}${report.packages} packages in all\n${formatTable(report.targets.map(toRow))}${toNotes(report.targets)}`;
}

function toRow({ target, packages, problem }: TargetVerdict): string[] {
  return [target, problem === undefined ? `${packages} packages` : `not available: ${problem.message}`];
}

function toNotes(targets: readonly TargetVerdict[]): string {
  const notes = new Set(targets.flatMap((verdict) => verdict.notes));
  return [...notes].map((note) => `  note: ${note}\n`).join("");
}

/** What a refresh wrote. A lock with problems is written too, so that it can be looked at; no build takes it. */
export function toRefreshText({ file, sha256, changed, problems }: RefreshedLock): string {
  const head = `${file}: sha256 ${sha256}, ${changed ? "written, and pinned in pack.yaml" : "as it was"}\n`;
  return problems.length === 0 ? head : `${head}${toProblems(problems)}`;
}

function toProblems(problems: readonly LockProblem[]): string {
  const rows = problems.map(({ code, subject, expected, got }) => [
    code,
    `${subject}: expected ${expected}, got ${got}`,
  ]);
  return `${formatTable(rows)}${problems.length} problem${problems.length === 1 ? "" : "s"}: no build takes this lock\n`;
}
