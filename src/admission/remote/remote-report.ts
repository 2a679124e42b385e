import type { Finding } from "../../tree/finding.ts";

/** What the verifier answers from inside a sandbox. It travels as base64 of deflated JSON, so that no byte of it needs escaping. */
export interface RemoteReport {
  readonly ok: boolean;
  /** How often each code was found. */
  readonly counts: Readonly<Record<string, number>>;
  /** The first of them, sorted by path and code; shortened where the answer would not fit. */
  readonly findings: readonly Finding[];
  readonly entries: number;
  readonly bytes: number;
  readonly milliseconds: number;
}
