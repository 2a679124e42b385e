import type { SandboxExecutor } from "../../sandbox/executor.ts";
import type { StageOptions, StagingReport } from "../admission.ts";
import type { ExpectedPack } from "../expected-pack.ts";
import type { Steps } from "../steps.ts";

export interface StageRequest {
  readonly sandbox: SandboxExecutor;
  readonly expected: ExpectedPack;
  readonly roots: readonly string[];
  readonly options: StageOptions;
  readonly steps: Steps;
  readonly signal?: AbortSignal;
}

export async function stagePack(_request: StageRequest): Promise<StagingReport> {
  throw new Error("not yet");
}
