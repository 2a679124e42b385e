import { dockerSandbox } from "./docker-sandbox.ts";
import type { SandboxExecutor } from "./executor.ts";
import { parseTarget } from "./parse-target.ts";
import { sshSandbox } from "./ssh-sandbox.ts";

/** The sandbox that a command line's target names. There is no target that names this host. @throws `sandbox.bad-target` */
export function openSandbox(target: string): SandboxExecutor {
  const parsed = parseTarget(target);
  return parsed.kind === "docker" ? dockerSandbox(parsed.container) : sshSandbox(parsed.ssh);
}
