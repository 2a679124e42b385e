import { Buffer } from "node:buffer";
import { deflateRawSync } from "node:zlib";
import type { RemoteReport } from "./remote-report.ts";

const maxFindings = 200;
const maxText = 300;

/** A report as base64 of deflated JSON of at most `maxBytes`: the first findings are what is left out of last. */
export function printReport(report: RemoteReport, maxBytes: number): string {
  const clipped = report.findings.slice(0, maxFindings).map(({ code, path, expected, got }) => ({
    code,
    path: path.slice(0, maxText),
    expected: expected.slice(0, maxText),
    got: got.slice(0, maxText),
  }));
  for (let count = clipped.length; ; count = Math.floor(count / 2)) {
    const text = JSON.stringify({ ...report, findings: clipped.slice(0, count) });
    const printed = deflateRawSync(text).toString("base64");
    if (printed.length <= maxBytes || count === 0) return printed;
  }
}

/** Undoes `printReport`, for whoever holds the other end: bounded, but not yet checked for its shape. @throws where it is no such text */
export function parsePrinted(text: string, inflate: (bytes: Buffer) => Buffer): unknown {
  return JSON.parse(inflate(Buffer.from(text, "base64")).toString("utf8"));
}
