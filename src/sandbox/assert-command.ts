import { assertCommandName } from "./command-name.ts";
import { sandboxError } from "./errors.ts";
import type { SandboxExecutor } from "./executor.ts";
import { answerOutputBytes, parseMarkedAnswer, toAnswerMark } from "./marked-answer.ts";
import { createNonce } from "./nonce.ts";
import type { SandboxShell } from "./preferred-shell.ts";
import { runShell } from "./run-shell.ts";
import { showTail } from "./show-tail.ts";

export interface CommandOptions {
  readonly shell?: SandboxShell;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * The launch-time probe (S4): the command's absolute path, or a loud failure that names it.
 * @throws SealpackError `sandbox.command-missing`, `sandbox.command-not-path`, `sandbox.no-answer`
 */
export async function assertCommand(
  sandbox: SandboxExecutor,
  name: string,
  options: CommandOptions & { readonly remedy?: string } = {},
): Promise<string> {
  assertCommandName(name);
  const nonce = createNonce();
  const script = `${toAnswerMark(nonce, "begin")}command -v "$1"||exit 1\n${toAnswerMark(nonce, "end")}`;
  const result = await runShell(sandbox, options.shell ?? "sh", script, {
    args: [name],
    timeoutMs: options.timeoutMs ?? 15_000,
    maxOutputBytes: answerOutputBytes,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  if (result.exitCode === 1 && !result.timedOut) throw missing(sandbox, name, options.remedy);
  if (result.exitCode !== 0 || result.timedOut) {
    throw sandboxError("sandbox.no-answer", {
      subject: sandbox.name,
      expected: `to learn whether ${name} is there`,
      got: `${result.timedOut ? "a time limit" : `exit code ${result.exitCode}`}; ${showTail(result.stderr)}`,
    });
  }
  const answer = parseMarkedAnswer(result.stdout, nonce, sandbox.name).toString("utf8").trim();
  if (answer.startsWith("/") && !answer.includes("\n")) return answer;
  throw sandboxError("sandbox.command-not-path", {
    subject: `${sandbox.name}: ${name}`,
    expected: "an absolute path",
    got: JSON.stringify(answer.slice(0, 120)),
  });
}

function missing(sandbox: SandboxExecutor, name: string, remedy: string | undefined) {
  return sandboxError("sandbox.command-missing", {
    subject: sandbox.name,
    expected: `${name} on PATH`,
    got: "none",
    ...(remedy === undefined ? {} : { remedy }),
  });
}
