import { assertCommandName } from "./command-name.ts";
import { toContractRows } from "./contract-report.ts";
import { type ContractRow, toExit } from "./contract-row.ts";
import { sandboxError } from "./errors.ts";
import type { ExecutionResult, SandboxExecutor } from "./executor.ts";
import type { HostNeeds } from "./host-needs.ts";
import { answerOutputBytes, parseMarkedAnswer } from "./marked-answer.ts";
import { createNonce } from "./nonce.ts";
import type { SandboxShell } from "./preferred-shell.ts";
import { type ProbeFacts, parseProbeFacts } from "./probe-facts.ts";
import { type ProbeQuestion, toProbeScript } from "./probe-script.ts";
import { showTail } from "./show-tail.ts";

export interface ProbeOptions {
  /** Agent CLIs that the run uses, beside node (S1). */
  readonly commands: readonly string[];
  readonly shell?: SandboxShell;
  readonly workspace?: string;
  readonly needs?: HostNeeds;
  /** Milliseconds; default 30 s. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface ContractReport {
  readonly target: string;
  readonly exit: 0 | 1 | 3;
  readonly rows: readonly ContractRow[];
  readonly facts: ProbeFacts;
}

/**
 * Whether a sandbox meets the contract, in one round trip.
 * @throws SealpackError where nothing could be told (exit 3), or the question cannot be asked (exit 2)
 */
export async function probeSandbox(sandbox: SandboxExecutor, options: ProbeOptions): Promise<ContractReport> {
  const question = toQuestion(options);
  const nonce = createNonce();
  const result = await sandbox.execute({
    command: "/bin/sh",
    args: ["-c", toProbeScript(question, nonce)],
    timeoutMs: options.timeoutMs ?? 30_000,
    maxOutputBytes: answerOutputBytes,
    clean: true,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  const answer = readAnswer(sandbox, result, nonce);
  const facts = parseProbeFacts(answer, question, sandbox.name);
  const rows = toContractRows(facts, {
    shell: question.shell,
    workspaceNamed: options.workspace !== undefined,
    ...(options.needs === undefined ? {} : { needs: options.needs }),
  });
  return { target: sandbox.name, exit: toExit(rows), rows, facts };
}

/** The reason why there is no answer, where the result already tells it. */
function readAnswer(sandbox: SandboxExecutor, result: ExecutionResult, nonce: string): Uint8Array {
  if (!result.timedOut && result.exitCode === 0) return parseMarkedAnswer(result.stdout, nonce, sandbox.name);
  throw sandboxError("sandbox.no-answer", {
    subject: sandbox.name,
    expected: "the probe to finish",
    got: `${result.timedOut ? "its time limit" : `exit code ${result.exitCode}`}; ${showTail(result.stderr)}`,
  });
}

const maxCommands = 32;

function toQuestion(options: ProbeOptions): ProbeQuestion {
  const commands = [...new Set(["node", ...options.commands])];
  for (const name of commands) assertCommandName(name);
  if (commands.length > maxCommands)
    throw badQuestion("commands", `at most ${maxCommands}`, `${commands.length}`);
  const { workspace, needs } = options;
  if (workspace !== undefined && !workspace.startsWith("/"))
    throw badQuestion("workspace", "an absolute path", workspace);
  return {
    shell: options.shell ?? "sh",
    commands,
    ...(workspace === undefined ? {} : { workspace }),
    elfInterpreters: needs?.elfInterpreters ?? [],
    libraries: needs?.libraries ?? [],
    cpu: needs?.cpu ?? [],
  };
}

function badQuestion(subject: string, expected: string, got: string | undefined) {
  return sandboxError("sandbox.bad-command", {
    subject,
    expected,
    got: JSON.stringify(got?.slice(0, 80) ?? "more"),
  });
}
