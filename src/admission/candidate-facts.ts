import { Buffer } from "node:buffer";
import { gunzipSync, inflateRawSync } from "node:zlib";
import { isSealpackError } from "../errors.ts";
import { maxManifestBytes } from "../manifest/parse-document.ts";
import { parseManifest } from "../manifest/parse-manifest.ts";
import type { Manifest } from "../manifest/types.ts";
import { sandboxError } from "../sandbox/errors.ts";
import { parseAnswerLines } from "../sandbox/marked-answer.ts";
import type { RemoteReport } from "./remote/remote-report.ts";
import { parseRemoteReport } from "./remote-answer.ts";

const states = ["directory", "link", "other", "absent", "unreadable", "no-home", "skipped"] as const;
const fileStates = ["", "absent", "other", "unreadable", "large", "hashed"] as const;

/** What one place in a sandbox was found to hold. The sandbox said so: text is shown escaped. */
export interface CandidateFacts {
  /** As asked; `$HOME` where it stands in the user's home. */
  readonly path: string;
  readonly state: (typeof states)[number];
  /** Without links; "" where it could not be entered. */
  readonly real: string;
  /** Of the directory; "" where there is none or it could not be told. */
  readonly inode: string;
  /** `root`, `unknown`, the first that others can write, or "" where it was not asked. */
  readonly chain: string;
  readonly manifest: FileFacts;
  readonly interpreter: FileFacts;
  /** The verifier's exit code; null where it was not run. */
  readonly run: number | null;
  readonly report: RemoteReport | undefined;
  /** A manifest that is not the expected one, where it could be sent and parsed. */
  readonly other: Manifest | undefined;
}

export interface FileFacts {
  /** "" where it was not looked at. */
  readonly state: (typeof fileStates)[number];
  readonly sha256: string;
}

export interface DecisionFacts {
  /** The base's tool, as shell words; "" for none. */
  readonly hashTool: string;
  readonly listTool: string;
  readonly candidates: readonly CandidateFacts[];
}

/** The answer of the decision script. @throws `sandbox.answer-malformed` */
export function parseDecisionFacts(
  answer: Uint8Array,
  paths: readonly string[],
  subject: string,
): DecisionFacts {
  const lines = parseAnswerLines(answer, subject);
  const text = (key: string): string => {
    const value = lines.get(key);
    if (value === undefined) throw malformed(subject, key, "none");
    return value;
  };
  const choice = <const Value extends string>(key: string, values: readonly Value[]): Value => {
    const found = values.find((value) => value === text(key));
    if (found === undefined) throw malformed(subject, key, text(key));
    return found;
  };
  const file = (key: string): FileFacts => ({
    state: choice(`${key}.state`, fileStates),
    sha256: toDigest(text(`${key}.sha256`)),
  });
  const candidates = paths.map((path, index): CandidateFacts => {
    const key = `root.${index}`;
    return {
      path,
      state: choice(`${key}.state`, states),
      real: text(`${key}.real`),
      inode: /^[0-9]{1,20}$/.exec(text(`${key}.inode`))?.[0] ?? "",
      chain: text(`${key}.chain`),
      manifest: file(`${key}.manifest`),
      interpreter: file(`${key}.interpreter`),
      run: toExitCode(text(`${key}.run`)),
      report: toReport(text(`${key}.report`)),
      other: toOther(text(`${key}.other`)),
    };
  });
  return { hashTool: text("hash"), listTool: text("ls"), candidates };
}

function toDigest(text: string): string {
  return /^[0-9a-f]{64}$/.test(text) ? text : "";
}

function toExitCode(text: string): number | null {
  return /^[0-9]{1,3}$/.test(text) ? Number(text) : null;
}

/** A report that is no report is none: what it would have said could not be checked. */
function toReport(text: string): RemoteReport | undefined {
  if (text === "") return undefined;
  try {
    const bytes = inflateRawSync(Buffer.from(text, "base64"), { maxOutputLength: maxManifestBytes });
    return parseRemoteReport(JSON.parse(bytes.toString("utf8")));
  } catch {
    return undefined;
  }
}

/** For the message alone: a manifest that cannot be read is not the expected one either. */
function toOther(text: string): Manifest | undefined {
  if (text === "") return undefined;
  try {
    return parseManifest(gunzipSync(Buffer.from(text, "base64"), { maxOutputLength: maxManifestBytes + 1 }));
  } catch (error) {
    if (isSealpackError(error) || error instanceof Error) return undefined;
    throw error;
  }
}

function malformed(subject: string, key: string, got: string) {
  return sandboxError("sandbox.answer-malformed", {
    subject,
    expected: `an answer to ${key}`,
    got: JSON.stringify(got.slice(0, 80)),
  });
}
