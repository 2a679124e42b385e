import type { Sandbox as DaytonaSandbox } from "@daytonaio/sdk";
import type { CommandManagedRuntimeRunner } from "@paperclipai/adapter-utils/command-managed-runtime";
import type { Sandbox as E2bSandbox } from "e2b";
import { type DaytonaLike, daytonaSandbox } from "../../src/sandbox/daytona-sandbox.ts";
import { type E2bLike, e2bSandbox } from "../../src/sandbox/e2b-sandbox.ts";
import { type RunnerLike, runnerSandbox } from "../../src/sandbox/runner-sandbox.ts";

/** Compiles only while each SDK's own object can be given to its adapter as it is. Nothing here runs. */
export function acceptsRealSdks(
  daytona: DaytonaSandbox,
  e2b: E2bSandbox,
  runner: CommandManagedRuntimeRunner,
): readonly unknown[] {
  const shapes: readonly [DaytonaLike, E2bLike, RunnerLike] = [daytona, e2b, runner];
  return [...shapes, daytonaSandbox(daytona), e2bSandbox(e2b), runnerSandbox(runner)];
}
