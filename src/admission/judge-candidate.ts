import { diffManifests, type ManifestDifference } from "../manifest/diff-manifests.ts";
import { showPath } from "../tree/show-path.ts";
import type { CandidateFacts, FileFacts } from "./candidate-facts.ts";
import type { AdmissionCode } from "./errors.ts";
import type { ExpectedPack } from "./expected-pack.ts";
import type { Reason } from "./reason.ts";

export interface Verdict {
  readonly sound: boolean;
  /** Empty exactly where it is sound, or was not looked at because another one was. */
  readonly reasons: readonly Reason[];
  /** In what another pack's manifest differs, components first. */
  readonly differences: readonly ManifestDifference[];
}

/** One place's facts to a verdict: pure, in the order of docs/admission.md steps 3 to 7. Only a report without findings is sound. */
export function judgeCandidate(facts: CandidateFacts, expected: ExpectedPack, hashTool: string): Verdict {
  if (facts.state === "skipped") return { sound: false, reasons: [], differences: [] };
  const reasons = findReasons(facts, expected, hashTool);
  const { payload } = expected.manifest;
  const differences = facts.other === undefined ? [] : diffManifests(payload, facts.other.payload);
  return { sound: reasons.length === 0, reasons, differences };
}

type Found = readonly Reason[] | undefined;

/** The first step that says no is the whole answer: what comes after it was not looked at. */
function findReasons(facts: CandidateFacts, expected: ExpectedPack, hashTool: string): readonly Reason[] {
  return (
    judgeRoot(facts) ??
    judgeTool(facts, hashTool) ??
    judgeManifest(facts, expected) ??
    judgePresence(facts, expected) ??
    judgeChain(facts) ??
    judgeInterpreter(facts, expected) ??
    judgeReport(facts)
  );
}

function judgeRoot({ state, path, real }: CandidateFacts): Found {
  const at = (code: AdmissionCode, expected: string, got: string) => [reason(code, path, expected, got)];
  if (state === "absent") return at("admission.no-pack", "a pack", "nothing");
  if (state === "link") return at("admission.root-not-a-directory", "a directory", "a symbolic link");
  if (state === "other") return at("admission.root-not-a-directory", "a directory", "something else");
  if (state === "no-home") return at("admission.no-home", "a home directory", "none");
  if (state === "unreadable" || !real.startsWith("/"))
    return at("admission.root-unreadable", "to enter it", "no permission");
  return undefined;
}

function judgeTool({ path }: CandidateFacts, hashTool: string): Found {
  return hashTool === "" ? [toNoHashTool(path)] : undefined;
}

export function toNoHashTool(subject: string): Reason {
  const expected = "openssl, sha256sum, busybox or shasum of the base system";
  return reason("sandbox.no-hash-tool", subject, expected, "none that works");
}

function judgeManifest({ path, manifest }: CandidateFacts, expected: ExpectedPack): Found {
  const file = `${path}/sealpack.json`;
  if (manifest.state === "hashed") {
    if (manifest.sha256 === expected.manifestSha256) return undefined;
    const got = `one whose sealpack.json has SHA-256 ${manifest.sha256}`;
    return [reason("admission.other-pack", path, `the pack ${expected.manifest.digest}`, got)];
  }
  if (manifest.state === "") return [reason("admission.writability-unknown", path, "ls", "none")];
  if (manifest.state === "unreadable")
    return [reason("admission.manifest-unreadable", file, "to read it", "no permission")];
  return [reason("admission.not-sealed", file, "a regular file of at most 1 MiB", describe(manifest))];
}

/** Who can write a file that is not there is not asked. */
function judgePresence({ path, interpreter }: CandidateFacts, expected: ExpectedPack): Found {
  if (interpreter.state !== "absent" && interpreter.state !== "other") return undefined;
  const file = `${path}/${expected.interpreter.path}`;
  return [reason("admission.no-such-interpreter", file, "an executable file", describe(interpreter))];
}

function judgeChain({ path, chain }: CandidateFacts): Found {
  if (chain === "root") return undefined;
  if (chain === "unknown" || chain === "") {
    return [reason("admission.writability-unknown", path, "who can write it", "no answer of ls")];
  }
  const got = chain.replace(/^[0-9]+ /, "");
  return [reason("admission.pack-writable", path, "only root can write it and what is above it", got)];
}

function judgeInterpreter({ path, interpreter }: CandidateFacts, expected: ExpectedPack): Found {
  const file = `${path}/${expected.interpreter.path}`;
  if (interpreter.state === "hashed") {
    const { sha256 } = expected.interpreter;
    if (interpreter.sha256 === sha256) return undefined;
    return [reason("admission.interpreter-differs", file, `SHA-256 ${sha256}`, interpreter.sha256)];
  }
  if (interpreter.state === "unreadable")
    return [reason("admission.interpreter-unreadable", file, "to read it", "no permission")];
  return [reason("admission.no-such-interpreter", file, "an executable file", describe(interpreter))];
}

/** Exit code and report must say the same. */
function judgeReport({ path, run, report }: CandidateFacts): readonly Reason[] {
  if (run === 0 && report?.ok === true) return [];
  if (run !== 1 || report === undefined || report.ok) {
    const got = `exit code ${run ?? "none"}, ${report === undefined ? "no report" : "a report"}`;
    return [reason("admission.verifier-failed", path, "a report", got)];
  }
  return toReportReasons(path, report.counts, report.findings);
}

/** One reason for each code, by its first finding. */
export function toReportReasons(
  path: string,
  counts: Readonly<Record<string, number>>,
  findings: readonly Reportable[],
): readonly Reason[] {
  return Object.entries(counts).map(([code, count]) => {
    const first = findings.find((one) => one.code === code);
    const more = count > 1 ? ` (and ${count - 1} more)` : "";
    const place = first === undefined || first.path === "." ? path : `${path}/${first.path}`;
    return reason(code, place, first?.expected ?? "none", `${first?.got ?? "some"}${more}`);
  });
}

interface Reportable {
  readonly code: string;
  readonly path: string;
  readonly expected: string;
  readonly got: string;
}

function describe({ state }: FileFacts): string {
  return state === "absent" ? "nothing" : state === "large" ? "a larger file" : "something else";
}

/** What the sandbox said is shown on one line, without anything that steers a terminal. The verifier's findings are shown already. */
function reason(code: string, subject: string, expected: string, got: string): Reason {
  return { code, subject: show(subject), expected: show(expected), got: show(got) };
}

function show(text: string): string {
  return text.split("\\").map(showPath).join("\\");
}
