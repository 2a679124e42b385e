import type { ManifestDifference } from "../manifest/diff-manifests.ts";
import type { Manifest } from "../manifest/types.ts";
import type { ContractRow } from "../sandbox/contract-row.ts";
import type { SandboxExecutor } from "../sandbox/executor.ts";
import type { ProbeFacts } from "../sandbox/probe-facts.ts";
import type { AdmissionPolicy } from "./policy.ts";
import type { Reason } from "./reason.ts";

/** A sandbox to be admitted (A1). A `LocalExecutor` does not fit: nothing of a remote run falls back to this host (A2). */
export interface AdmissionRequest {
  readonly sandbox: SandboxExecutor;
  /** The controller's own: a parsed manifest, or the directory of a pack that its release built. */
  readonly expected: Manifest | string;
  /** What the lease says the sandbox runs. */
  readonly image?: string;
  /** Absolute, or below `$HOME`. Default: `defaultPackRoots`. */
  readonly packRoots?: readonly string[];
  /** What to stage from where no root passes; left out, nothing is staged. */
  readonly stage?: StageOptions;
  /** Commands of the pack that the run uses. */
  readonly commands: readonly string[];
  /** Looked for on the sandbox user's PATH, and reported. Default: paperclip-runnerd, codex. */
  readonly look?: readonly string[];
  readonly policy?: AdmissionPolicy;
  /** Milliseconds for the decision; default 120 s. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface StageOptions {
  /** A directory that holds the expected pack. */
  readonly pack: string;
  readonly onProgress?: (progress: StageProgress) => void;
  /** Milliseconds for one step in the sandbox; default 30 minutes. */
  readonly stepTimeoutMs?: number;
}

export interface StageProgress {
  readonly step: "prepare" | "send the interpreter" | "compare" | "send files" | "verify";
  /** Bytes sent, of how many. */
  readonly done?: number;
  readonly total?: number;
}

export interface Admission {
  readonly decision: "preinstalled" | "staged";
  /** The pack's directory in the sandbox, without links. */
  readonly root: string;
  /** Absolute paths of the asked commands' launchers. */
  readonly commands: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string>>;
  readonly trust: Trust;
  readonly report: AdmissionReport;
}

/** What the answer is worth after it was given (docs/admission.md). */
export type Trust = "protected" | "this-lease" | "fresh-only";

export interface AdmissionReport {
  readonly target: string;
  /** Null where the lease does not say. */
  readonly image: string | null;
  readonly manifest: string;
  readonly user: ProbeFacts["user"] | null;
  /** Answers of `command -v` on the sandbox user's PATH; "" where there is none. Of no weight. */
  readonly onPath: Readonly<Record<string, string>>;
  readonly path: string;
  readonly hashTool: string;
  /** What the pack needs of the host and that is not there, or could not be told. It refuses nothing but staging to a host that cannot run it. */
  readonly host: readonly ContractRow[];
  readonly roots: readonly RootReport[];
  readonly staging: StagingReport | null;
  readonly steps: readonly StepReport[];
}

export interface RootReport {
  readonly path: string;
  readonly sound: boolean;
  readonly reasons: readonly Reason[];
  readonly differences: readonly ManifestDifference[];
  /** What the verifier looked at, where it ran. */
  readonly verified: {
    readonly entries: number;
    readonly bytes: number;
    readonly milliseconds: number;
  } | null;
}

export interface StagingReport {
  readonly root: string;
  readonly transport: "upload" | "stdin" | "chunks";
  readonly filesSent: number;
  readonly filesKept: number;
  /** As they travelled: compressed. */
  readonly bytesSent: number;
  /** Of the files sent. */
  readonly bytesUnpacked: number;
}

export interface StepReport {
  readonly name: string;
  readonly milliseconds: number;
}
