import { sandboxError } from "../sandbox/errors.ts";
import type { ExecutionResult, SandboxExecutor } from "../sandbox/executor.ts";
import { answerOutputBytes, parseMarkedAnswer } from "../sandbox/marked-answer.ts";
import { createNonce } from "../sandbox/nonce.ts";
import { type ProbeFacts, parseProbeFacts } from "../sandbox/probe-facts.ts";
import { showTail } from "../sandbox/show-tail.ts";
import { type DecisionFacts, parseDecisionFacts } from "./candidate-facts.ts";
import { type DecisionQuestion, toCandidates, toDecisionScript } from "./decide-script.ts";

export interface Decision {
  readonly probe: ProbeFacts;
  readonly facts: DecisionFacts;
}

/** Asks a sandbox everything that a decision needs, in one round trip. @throws `sandbox.*` where it gives no answer */
export async function decide(
  sandbox: SandboxExecutor,
  question: DecisionQuestion,
  options: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined },
): Promise<Decision> {
  const nonces = { probe: createNonce(), decision: createNonce() };
  const result = await sandbox.execute({
    command: "/bin/sh",
    args: ["-c", toDecisionScript(question, nonces)],
    timeoutMs: options.timeoutMs,
    maxOutputBytes: answerOutputBytes,
    clean: true,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  assertFinished(sandbox, result);
  const probe = parseMarkedAnswer(result.stdout, nonces.probe, sandbox.name);
  const answer = parseMarkedAnswer(result.stdout, nonces.decision, sandbox.name);
  const paths = toCandidates(question.roots, question.expected.id);
  return {
    probe: parseProbeFacts(probe, question.probe, sandbox.name),
    facts: parseDecisionFacts(answer, paths, sandbox.name),
  };
}

/** @throws `sandbox.no-answer` */
export function assertFinished(sandbox: SandboxExecutor, result: ExecutionResult): void {
  if (!result.timedOut && result.exitCode === 0) return;
  throw sandboxError("sandbox.no-answer", {
    subject: sandbox.name,
    expected: "the command to finish",
    got: `${result.timedOut ? "its time limit" : `exit code ${result.exitCode}`}; ${showTail(result.stderr)}`,
  });
}
