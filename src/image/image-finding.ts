import { type ImageCode, imageError, imageErrors } from "./errors.ts";

/** One thing wrong with an image's definition, at its place. */
export interface ImageFinding {
  readonly code: ImageCode;
  /** The file, as the caller called it. */
  readonly file: string;
  /** Counts from 1; 0 where the finding is about the whole file. */
  readonly line: number;
  readonly expected: string;
  readonly got: string;
}

/** The finding as `--json` prints it, with its remedy. */
export interface ReportedFinding extends ImageFinding {
  readonly remedy: string;
}

/** Sorts by file, then line, then code, and drops repetitions: the order never depends on which rule ran first. */
export function sortFindings(findings: readonly ImageFinding[]): readonly ImageFinding[] {
  const keyed = new Map(findings.map((finding) => [JSON.stringify(Object.values(finding)), finding]));
  return [...keyed.values()].sort(
    (a, b) =>
      compareText(a.file, b.file) ||
      a.line - b.line ||
      compareText(a.code, b.code) ||
      compareText(a.got, b.got),
  );
}

export function toReportedFinding(finding: ImageFinding): ReportedFinding {
  return { ...finding, remedy: imageErrors[finding.code].remedy };
}

/** `docker/x/Dockerfile:3`, or the file alone. */
export function toPlace(finding: ImageFinding): string {
  return finding.line === 0 ? finding.file : `${finding.file}:${finding.line}`;
}

/** @throws the first finding's code, with all of them in `details.findings` */
export function assertNoFindings(findings: readonly ImageFinding[]): void {
  const sorted = sortFindings(findings);
  const first = sorted[0];
  if (first === undefined) return;
  const more = sorted.length > 1 ? ` (The first of ${sorted.length} findings.)` : "";
  throw imageError(first.code, {
    subject: toPlace(first),
    expected: first.expected,
    got: first.got,
    remedy: `${imageErrors[first.code].remedy}${more}`,
    details: { findings: sorted.map(toReportedFinding) },
  });
}

/** How a message shows text from outside: one line, no control characters, at most 200 characters. */
export function toShownText(text: string): string {
  const shown = text.replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029]/g, (char) =>
    JSON.stringify(char).slice(1, -1),
  );
  return shown.length > 200 ? `${shown.slice(0, 199)}…` : shown;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
