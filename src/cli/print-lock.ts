import type { LockReport, TargetVerdict } from "../lock/check-lock.ts";
import { formatTable } from "./format.ts";

/** The verdict on a lock: all its problems, or what each target gets from it. */
export function toCheckText(report: LockReport): string {
  const head = `${report.file}: sha256 ${report.sha256}, as pinned\n`;
  if (report.problems.length > 0) {
    const rows = report.problems.map(({ code, subject, expected, got }) => [
      code,
      `${subject}: expected ${expected}, got ${got}`,
    ]);
    return `${head}${formatTable(rows)}${report.problems.length} problem(s)\n`;
  }
  return `${head}${report.packages} packages in all\n${formatTable(report.targets.map(toRow))}${toNotes(report.targets)}`;
}

function toRow({ target, packages, problem }: TargetVerdict): string[] {
  return [target, problem === undefined ? `${packages} packages` : `not available: ${problem.message}`];
}

function toNotes(targets: readonly TargetVerdict[]): string {
  const notes = new Set(targets.flatMap((verdict) => verdict.notes));
  return [...notes].map((note) => `  note: ${note}\n`).join("");
}
