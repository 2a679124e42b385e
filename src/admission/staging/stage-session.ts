import type { SandboxExecutor } from "../../sandbox/executor.ts";
import { answerOutputBytes, parseMarkedAnswer } from "../../sandbox/marked-answer.ts";
import { createNonce } from "../../sandbox/nonce.ts";
import { assertFinished } from "../decide.ts";
import type { ExpectedPack } from "../expected-pack.ts";
import { toReportReasons } from "../judge-candidate.ts";
import { AdmissionError, toRefusal } from "../reason.ts";
import type { StageArguments } from "../remote/stage-arguments.ts";
import { type Carrier, type CarrierOptions, runScript } from "./carrier.ts";
import { parseTaskOutcome, type TaskAnswer } from "./stage-answers.ts";
import { toTaskScript } from "./stage-scripts.ts";

/** What every step of one staging needs. */
export interface StageSession {
  readonly sandbox: SandboxExecutor;
  readonly expected: ExpectedPack;
  readonly carrier: Carrier;
  readonly options: CarrierOptions;
}

/** Runs a script that answers between marks. @throws `sandbox.no-answer` */
export async function askScript(
  session: StageSession,
  toScript: (mark: string) => string,
  input?: { readonly source: AsyncIterable<Uint8Array>; readonly directory: string },
): Promise<Buffer> {
  const mark = createNonce();
  const script = toScript(mark);
  const { sandbox, carrier, options } = session;
  const result =
    input === undefined
      ? await runScript(sandbox, script, options)
      : await carrier.run(script, input.source, input.directory);
  assertFinished(sandbox, result);
  return parseMarkedAnswer(result.stdout, mark, sandbox.name);
}

export const outputBytes = answerOutputBytes;

/**
 * One task of the stager.
 * @throws AdmissionError, `admission.*` where it did not end well
 */
export async function runTask<Kind extends TaskAnswer["kind"]>(
  session: StageSession,
  args: StageArguments,
  source: AsyncIterable<Uint8Array>,
  kinds: readonly Kind[],
): Promise<Extract<TaskAnswer, { kind: Kind }>> {
  const { sandbox, expected } = session;
  const input = { source, directory: args.directory };
  const bytes = await askScript(session, (mark) => toTaskScript(expected, args, mark), input);
  const { sha256, answer, exitCode } = parseTaskOutcome(bytes, sandbox.name);
  const place = `${args.directory}/pack`;
  if (sha256 !== expected.interpreter.sha256) throw changed(place, expected, sha256);
  if (answer !== undefined && (kinds as readonly string[]).includes(answer.kind)) {
    return answer as Extract<TaskAnswer, { kind: Kind }>;
  }
  throw toFailure(place, answer, exitCode);
}

/** Whatever changed it runs as the run's user: this sandbox is not to be used. */
function changed(place: string, expected: ExpectedPack, got: string) {
  return toRefusal("admission.staged-unsound", {
    subject: `${place}/${expected.interpreter.path}`,
    expected: `SHA-256 ${expected.interpreter.sha256}, as when it was put there`,
    got: got || "no such file",
  });
}

function toFailure(place: string, answer: TaskAnswer | undefined, exitCode: string): Error {
  if (answer?.kind === "unsound") {
    const [first, ...rest] = toReportReasons(place, answer.report.counts, answer.report.findings);
    const reason = {
      code: "admission.staged-unsound",
      subject: place,
      expected: "the expected pack",
      got: `${rest.length + 1} kinds of findings`,
    };
    return new AdmissionError([reason, ...(first === undefined ? [] : [first, ...rest])], null);
  }
  const got = answer?.kind === "failed" ? answer.message : `exit code ${exitCode}`;
  const full = answer?.kind === "failed" && answer.code === "no-room";
  return toRefusal(full ? "admission.no-room" : "admission.staging-failed", {
    subject: place,
    expected: full ? "room for the pack" : "the step to finish",
    got,
  });
}

/** Removes what a failed staging made, as far as the sandbox still answers. */
export async function cleanUp(session: StageSession, script: string): Promise<void> {
  const { signal: _, ...options } = session.options;
  await runScript(session.sandbox, script, { ...options, timeoutMs: 60_000 }).catch(() => undefined);
}
