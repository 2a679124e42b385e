import { sandboxError } from "./errors.ts";

export type SandboxShell = "bash" | "sh";

/** The shell that a provider's `shellCommand` asks for (S7): null and absent mean sh. @throws `sandbox.bad-shell` for all else */
export function preferredShell(value: unknown): SandboxShell {
  if (value === undefined || value === null) return "sh";
  if (value === "bash" || value === "sh") return value;
  throw sandboxError("sandbox.bad-shell", {
    subject: "shellCommand",
    expected: '"bash", "sh" or null',
    got: (JSON.stringify(value) ?? typeof value).slice(0, 80),
  });
}
