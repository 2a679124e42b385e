import { assertCommandName } from "../sandbox/command-name.ts";
import type { ProbeFacts } from "../sandbox/probe-facts.ts";
import type { Admission, AdmissionReport, AdmissionRequest, Trust } from "./admission.ts";
import { type Decision, decide } from "./decide.ts";
import { type ExpectedPack, toExpectedPack } from "./expected-pack.ts";
import { findHostRows, findUnfit } from "./host-fit.ts";
import { toNoHashTool } from "./judge-candidate.ts";
import { type Judgement, judgeDecision } from "./judge-decision.ts";
import { assertCommands, toCommandPaths, toLaunchEnvironment } from "./launch.ts";
import { defaultPackRoots, parsePackRoots } from "./pack-roots.ts";
import { findImageReasons, findUserReasons } from "./policy.ts";
import { readExpected } from "./read-expected.ts";
import { AdmissionError, orderReasons, type Reason } from "./reason.ts";
import { type StageRequest, stagePack } from "./staging/stage-pack.ts";
import { type Steps, startSteps } from "./steps.ts";

const defaultTimeoutMs = 120_000;
const defaultLook = ["paperclip-runnerd", "codex"] as const;

/**
 * Whether and from where a run may use its pack in a leased sandbox (docs/admission.md). One round trip decides; only staging takes more.
 * @throws AdmissionError with every reason; SealpackError where the sandbox gives no answer, or the request cannot be asked
 */
export async function admit(request: AdmissionRequest): Promise<Admission> {
  const steps = startSteps();
  const roots = parsePackRoots(request.packRoots ?? defaultPackRoots);
  const expected = toExpectedPack(await readExpected(request.expected));
  assertCommands(request.commands, expected.manifest);
  const attempt = { request, expected, roots, steps };
  refuse(findImageReasons(request.image, request.policy ?? {}), toReport(attempt));
  const decision = await steps.take("decide", () => ask(attempt));
  const judgement = judgeDecision(decision.facts, expected);
  refuse(findUserReasons(decision.probe.user, request.policy ?? {}), toReport(attempt, decision, judgement));
  if (judgement.root !== undefined) return toPreinstalled(attempt, decision, judgement, judgement.root);
  return await stage(attempt, decision, judgement);
}

interface Attempt {
  readonly request: AdmissionRequest;
  readonly expected: ExpectedPack;
  readonly roots: readonly string[];
  readonly steps: Steps;
}

function ask({ request, expected, roots }: Attempt): Promise<Decision> {
  const commands = [...new Set(request.look ?? defaultLook)];
  for (const name of commands) assertCommandName(name);
  const { requires } = expected.manifest.payload;
  const probe = {
    shell: "sh",
    commands,
    elfInterpreters: requires.elfInterpreters,
    libraries: requires.libraries,
    cpu: requires.cpu,
    lookOnly: true,
  } as const;
  return decide(
    request.sandbox,
    { expected, roots, probe },
    { timeoutMs: request.timeoutMs ?? defaultTimeoutMs, signal: request.signal },
  );
}

function refuse(reasons: readonly Reason[], report: AdmissionReport): void {
  const [first, ...rest] = orderReasons(reasons);
  if (first !== undefined) throw new AdmissionError([first, ...rest], report);
}

function toPreinstalled(attempt: Attempt, decision: Decision, judgement: Judgement, root: string): Admission {
  const trust = decision.probe.user.root === "no" ? "protected" : "fresh-only";
  const report = toReport(attempt, decision, judgement);
  return toAdmission(attempt, decision.probe, { decision: "preinstalled", root, trust, report });
}

/** @throws AdmissionError where nothing may be staged, or staging ends without a sound pack */
async function stage(attempt: Attempt, decision: Decision, judgement: Judgement): Promise<Admission> {
  const { request, expected } = attempt;
  const reasons = judgement.roots.flatMap((root) => root.reasons);
  const report = () => toReport(attempt, decision, judgement);
  if (request.stage === undefined) refuse(reasons, report());
  refuse(findUnfit(findHostRows(decision.probe.host, expected.manifest), request.sandbox.name), report());
  if (decision.facts.hashTool === "") refuse([toNoHashTool(request.sandbox.name), ...reasons], report());
  try {
    const staging = await stagePack(toStageRequest(attempt, decision));
    const trust = decision.probe.user.root === "no" ? "this-lease" : "fresh-only";
    const outcome = { decision: "staged", root: staging.root, trust } as const;
    return toAdmission(attempt, decision.probe, { ...outcome, report: { ...report(), staging } });
  } catch (error) {
    if (!(error instanceof AdmissionError)) throw error;
    const [first, ...rest] = [...error.reasons, ...reasons] as [Reason, ...Reason[]];
    throw new AdmissionError([first, ...rest], report());
  }
}

function toStageRequest({ request, expected, roots, steps }: Attempt, { facts }: Decision): StageRequest {
  const { candidates } = facts;
  const { sandbox, stage: options = { pack: "" }, signal } = request;
  return {
    sandbox,
    expected,
    roots,
    sources: candidates.filter(({ real }) => real.startsWith("/")).map(({ real }) => real),
    before: (root) => candidates.find(({ real }) => real === `${root}/${expected.id}`)?.inode ?? "",
    options,
    steps,
    ...(signal === undefined ? {} : { signal }),
  };
}

interface Outcome {
  readonly decision: Admission["decision"];
  readonly root: string;
  readonly trust: Trust;
  readonly report: AdmissionReport;
}

function toAdmission({ request, expected }: Attempt, probe: ProbeFacts, outcome: Outcome): Admission {
  const { manifest } = expected;
  return {
    ...outcome,
    commands: toCommandPaths(outcome.root, request.commands, manifest),
    environment: toLaunchEnvironment(outcome.root, manifest, probe),
  };
}

function toReport(
  { request, expected, steps }: Attempt,
  decision?: Decision,
  judgement?: Judgement,
): AdmissionReport {
  const commands = decision?.probe.commands ?? [];
  return {
    target: request.sandbox.name,
    image: request.image ?? null,
    manifest: expected.manifest.digest,
    user: decision?.probe.user ?? null,
    onPath: Object.fromEntries(commands.map(({ name, answer }) => [name, answer])),
    path: decision?.probe.path ?? "",
    hashTool: decision?.facts.hashTool ?? "",
    host: decision === undefined ? [] : findHostRows(decision.probe.host, expected.manifest),
    roots: judgement?.roots ?? [],
    staging: null,
    steps: [...steps.done],
  };
}
