import type { Finding } from "../tree/finding.ts";
import type { RemoteReport } from "./remote/remote-report.ts";

/** A verifier's answer, held to its shape. @throws Error where it has another */
export function parseRemoteReport(value: unknown): RemoteReport {
  const report = asRecord(value);
  const { ok, findings } = report;
  if (typeof ok !== "boolean" || !Array.isArray(findings)) throw new Error("no report");
  const counts = Object.fromEntries(
    Object.entries(asRecord(report.counts)).map(([code, count]) => [code, asCount(count)]),
  );
  const parsed = findings.map(toFinding);
  if (ok !== (Object.keys(counts).length === 0) || (ok && parsed.length > 0))
    throw new Error("a contradiction");
  return {
    ok,
    counts,
    findings: parsed,
    entries: asCount(report.entries),
    bytes: asCount(report.bytes),
    milliseconds: asCount(report.milliseconds),
  };
}

function toFinding(value: unknown): Finding {
  const { code, path, expected, got } = asRecord(value);
  return { code: asText(code), path: asText(path), expected: asText(expected), got: asText(got) };
}

function asRecord(value: unknown): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new Error("no object");
}

function asText(value: unknown): string {
  if (typeof value === "string") return value;
  throw new Error("no text");
}

function asCount(value: unknown): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw new Error("no count");
}
