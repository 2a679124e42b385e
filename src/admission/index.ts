/** What a controller imports: whether the pack in a leased sandbox may be used, and from where (docs/admission.md). */

export { type DaytonaLike, daytonaSandbox } from "../sandbox/daytona-sandbox.ts";
export { type DockerOptions, dockerSandbox } from "../sandbox/docker-sandbox.ts";
export { type E2bLike, e2bSandbox } from "../sandbox/e2b-sandbox.ts";
export type {
  ExecutionResult,
  LocalExecutor,
  SandboxCapabilities,
  SandboxCommand,
  SandboxExecutor,
} from "../sandbox/executor.ts";
export { type RunnerLike, runnerSandbox } from "../sandbox/runner-sandbox.ts";
export { type SshOptions, type SshTarget, sshSandbox } from "../sandbox/ssh-sandbox.ts";
export type * from "./admission.ts";
export { admit } from "./admit.ts";
export { defaultDeniedImages, isDeniedImage } from "./denied-images.ts";
export { defaultPackRoots } from "./pack-roots.ts";
export type { AdmissionPolicy } from "./policy.ts";
export { AdmissionError, type Reason } from "./reason.ts";
