import { dockerSandbox } from "./docker-sandbox.ts";
import type { SandboxExecutor } from "./executor.ts";
import { parseTarget } from "./parse-target.ts";
import { sshSandbox } from "./ssh-sandbox.ts";

/** The sandbox that a command line's target names. There is no target that names this host. @throws `sandbox.bad-target` */
export function openSandbox(target: string, environment: NodeJS.ProcessEnv = process.env): SandboxExecutor {
  const parsed = parseTarget(target);
  if (parsed.kind === "docker") return dockerSandbox(parsed.container, { environment });
  return sshSandbox(parsed.ssh, { environment });
}
