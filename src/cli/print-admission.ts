import type { Admission, AdmissionReport, RootReport, StagingReport } from "../admission/admission.ts";
import type { AdmissionError } from "../admission/reason.ts";
import type { ManifestDifference } from "../manifest/diff-manifests.ts";
import { formatBytes, formatSeconds, formatTable } from "./format.ts";
import type { Exit, Io } from "./io.ts";
import { printFailure, toErrorDocument } from "./print-failure.ts";

const maxDifferences = 12;

/** One screen for a person: what was found, in what it differed, what moved, how long each step took. */
export function printAdmission(admission: Admission): string {
  const { decision, root, trust, report, commands } = admission;
  return [
    `${report.target}: ${decision}, ${root}\n`,
    `  trust ${trust}: ${trusts[trust]}\n`,
    formatTable(Object.entries(commands)),
    printReport(report),
  ].join("");
}

const trusts: Readonly<Record<Admission["trust"], string>> = {
  protected: "nobody but root can change it",
  "this-lease": "sound until something else that runs as this user changes it",
  "fresh-only": "sound now; the user is root or may become it, so use the sandbox once",
};

/** A refusal has its report too: the roots' reasons by root, instead of one list. */
export function printRefusal(error: AdmissionError, json: boolean, io: Io): Exit {
  const report = isReport(error.report) ? error.report : undefined;
  if (json) {
    const document = { error: toErrorDocument(error), reasons: error.reasons, report: report ?? null };
    io.stdout(`${JSON.stringify(document, null, 2)}\n`);
  } else if (report !== undefined) io.stdout(`${report.target}: refused\n${printReport(report)}`);
  return printFailure(error, { json: false, io });
}

function isReport(value: unknown): value is AdmissionReport {
  return typeof value === "object" && value !== null && "roots" in value;
}

function printReport(report: AdmissionReport): string {
  const user = report.user === null ? "" : `${report.user.name || report.user.id}, root: ${report.user.root}`;
  const facts = [
    ["image", report.image ?? "not named by the lease"],
    ["manifest", report.manifest],
    ...(user === "" ? [] : [["user", user]]),
    ...Object.entries(report.onPath).map(([name, path]) => [`${name} on PATH`, path || "none"]),
  ];
  return [
    formatTable(facts),
    ...report.host.map(({ code, fact }) => `  host: ${code}  ${fact}\n`),
    ...report.roots.map(printRoot),
    report.staging === null ? "" : printStaging(report.staging),
    `  took ${report.steps.map(({ name, milliseconds }) => `${name} ${formatSeconds(milliseconds)}`).join(", ")}\n`,
  ].join("");
}

function printRoot({ path, sound, reasons, differences, verified }: RootReport): string {
  const checked =
    verified === null
      ? ""
      : `, ${verified.entries} entries and ${formatBytes(verified.bytes)} verified in ${formatSeconds(verified.milliseconds)}`;
  const lines = reasons.map(
    (one) => `    ${one.code}  ${one.subject}: expected ${one.expected}, got ${one.got}\n`,
  );
  const shown = differences.slice(0, maxDifferences).map(printDifference);
  const rest = differences.length - shown.length;
  return [
    `  ${path}: ${sound ? "sound" : "not used"}${checked}\n`,
    ...lines,
    ...shown,
    rest > 0 ? `    and ${rest} more differences\n` : "",
  ].join("");
}

function printDifference({ kind, name, field, left, right }: ManifestDifference): string {
  const what = [kind, name, field].filter((part) => part !== "").join(" ");
  return `    differs: ${what}: ours ${printValue(left)}, there ${printValue(right)}\n`;
}

/** Values of a manifest were checked for control characters when it was parsed. */
function printValue(value: unknown): string {
  if (value === undefined) return "none";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 72 ? `${text.slice(0, 72)}…` : text;
}

function printStaging(staging: StagingReport): string {
  const { transport, filesSent, filesKept, bytesSent, bytesUnpacked } = staging;
  return `  moved ${filesSent} files (${formatBytes(bytesUnpacked)}) as ${formatBytes(bytesSent)} by ${transport}; ${filesKept} were there\n`;
}
