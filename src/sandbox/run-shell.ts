import type { ExecutionResult, SandboxCommand, SandboxExecutor } from "./executor.ts";
import type { SandboxShell } from "./preferred-shell.ts";

export type ShellOptions = Omit<SandboxCommand, "command" | "args"> & { readonly args?: readonly string[] };

/** `<shell> -c <script> <shell> <args…>` (S3): never a login shell, never `-i`. */
export function runShell(
  sandbox: SandboxExecutor,
  shell: SandboxShell,
  script: string,
  options: ShellOptions,
): Promise<ExecutionResult> {
  const { args = [], ...rest } = options;
  return sandbox.execute({ ...rest, command: shell, args: ["-c", script, shell, ...args] });
}
