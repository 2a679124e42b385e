import { describe, expect, test } from "vitest";
import type { CandidateFacts } from "../../src/admission/candidate-facts.ts";
import { toExpectedPack } from "../../src/admission/expected-pack.ts";
import { judgeCandidate } from "../../src/admission/judge-candidate.ts";
import { exitOfReason } from "../../src/admission/reason.ts";
import { smallManifest } from "./support/small-manifest.ts";

const expected = toExpectedPack(smallManifest());
const path = "/opt/pack";
const report = { ok: true, counts: {}, findings: [], entries: 1, bytes: 1, milliseconds: 1 };
const found = { code: "tree.content", path: "a", expected: "SHA-256 1", got: "2" };

/** A sound pack's facts. Each row changes one of them. */
const sound: CandidateFacts = {
  path,
  state: "directory",
  real: path,
  inode: "1",
  chain: "root",
  manifest: { state: "hashed", sha256: expected.manifestSha256 },
  interpreter: { state: "hashed", sha256: expected.interpreter.sha256 },
  run: 0,
  report,
  other: undefined,
};

const rows: readonly (readonly [string, Partial<CandidateFacts>, string, 1 | 3])[] = [
  ["nothing there", { state: "absent" }, "admission.no-pack", 1],
  ["a link", { state: "link" }, "admission.root-not-a-directory", 1],
  ["a file", { state: "other" }, "admission.root-not-a-directory", 1],
  ["no permission", { state: "unreadable" }, "admission.root-unreadable", 3],
  ["a path that is none", { real: "" }, "admission.root-unreadable", 3],
  ["no home", { state: "no-home" }, "admission.no-home", 3],
  ["no ls", { manifest: { state: "", sha256: "" } }, "admission.writability-unknown", 3],
  ["no manifest", { manifest: { state: "absent", sha256: "" } }, "admission.not-sealed", 1],
  ["a link for a manifest", { manifest: { state: "other", sha256: "" } }, "admission.not-sealed", 1],
  ["a huge manifest", { manifest: { state: "large", sha256: "" } }, "admission.not-sealed", 1],
  ["a dark manifest", { manifest: { state: "unreadable", sha256: "" } }, "admission.manifest-unreadable", 3],
  ["another manifest", { manifest: { state: "hashed", sha256: "0" } }, "admission.other-pack", 1],
  ["a manifest hashed to nothing", { manifest: { state: "hashed", sha256: "" } }, "admission.other-pack", 1],
  ["the user's", { chain: "3 drwxr-xr-x user 1000: /opt" }, "admission.pack-writable", 1],
  ["who knows whose", { chain: "unknown" }, "admission.writability-unknown", 3],
  ["a chain that was not asked", { chain: "" }, "admission.writability-unknown", 3],
  ["no interpreter", { interpreter: { state: "absent", sha256: "" } }, "admission.no-such-interpreter", 1],
  [
    "an interpreter that is none",
    { interpreter: { state: "other", sha256: "" } },
    "admission.no-such-interpreter",
    1,
  ],
  ["a huge interpreter", { interpreter: { state: "large", sha256: "" } }, "admission.no-such-interpreter", 1],
  [
    "a dark interpreter",
    { interpreter: { state: "unreadable", sha256: "" } },
    "admission.interpreter-unreadable",
    3,
  ],
  [
    "another interpreter",
    { interpreter: { state: "hashed", sha256: "0" } },
    "admission.interpreter-differs",
    1,
  ],
  [
    "an interpreter that was not asked",
    { interpreter: { state: "", sha256: "" } },
    "admission.no-such-interpreter",
    1,
  ],
  ["a verifier that was not run", { run: null, report: undefined }, "admission.verifier-failed", 3],
  ["a verifier without a report", { report: undefined }, "admission.verifier-failed", 3],
  ["a verifier that was killed", { run: 137 }, "admission.verifier-failed", 3],
  ["a success with an exit that says no", { run: 1 }, "admission.verifier-failed", 3],
  [
    "findings with an exit that says yes",
    { report: { ...report, ok: false, counts: { "tree.content": 1 }, findings: [found] } },
    "admission.verifier-failed",
    3,
  ],
  [
    "findings",
    { run: 1, report: { ...report, ok: false, counts: { "tree.content": 1 }, findings: [found] } },
    "tree.content",
    1,
  ],
];

describe("one place's facts to a verdict", () => {
  test("all as they must be: sound", () => {
    expect(judgeCandidate(sound, expected, "sha256sum")).toEqual({
      sound: true,
      reasons: [],
      differences: [],
    });
  });

  test.each(rows)("%s", (_, change, code, exit) => {
    const verdict = judgeCandidate({ ...sound, ...change }, expected, "sha256sum");
    expect([verdict.sound, verdict.reasons.map((one) => one.code)]).toEqual([false, [code]]);
    expect(exitOfReason(code)).toBe(exit);
  });

  test("no hash tool is could-not-check, whatever else was said", () => {
    const verdict = judgeCandidate(sound, expected, "");
    expect([verdict.sound, verdict.reasons[0]?.code]).toEqual([false, "sandbox.no-hash-tool"]);
  });

  test("one that was not looked at is not sound", () => {
    expect(judgeCandidate({ ...sound, state: "skipped" }, expected, "sha256sum").sound).toBe(false);
  });

  test("what the sandbox wrote steers no terminal", () => {
    const verdict = judgeCandidate({ ...sound, chain: "1 \u001b[2Jx" }, expected, "sha256sum");
    expect(verdict.reasons[0]?.got).toBe("\\x1b[2Jx");
  });
});
