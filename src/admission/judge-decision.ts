import type { RootReport } from "./admission.ts";
import type { CandidateFacts, DecisionFacts } from "./candidate-facts.ts";
import type { ExpectedPack } from "./expected-pack.ts";
import { judgeCandidate } from "./judge-candidate.ts";

export interface Judgement {
  /** The first sound one's directory; undefined for none. */
  readonly root: string | undefined;
  /** What was looked at, in order. A place for staged packs where nothing stands is left out. */
  readonly roots: readonly RootReport[];
}

/** All places' facts to one answer. Pure. */
export function judgeDecision(facts: DecisionFacts, expected: ExpectedPack): Judgement {
  const judged = facts.candidates.map((candidate) => toRootReport(candidate, expected, facts.hashTool));
  const index = judged.findIndex(({ sound }) => sound);
  const roots = judged.filter((_, at) => isWorthTelling(facts.candidates[at], expected));
  return { root: facts.candidates[index]?.real, roots };
}

function toRootReport(facts: CandidateFacts, expected: ExpectedPack, hashTool: string): RootReport {
  const { report } = facts;
  const verified =
    report === undefined
      ? null
      : { entries: report.entries, bytes: report.bytes, milliseconds: report.milliseconds };
  return { path: facts.path, ...judgeCandidate(facts, expected, hashTool), verified };
}

/** Below a root that is a pack of its own, or not there, no staged pack can be expected. */
function isWorthTelling(facts: CandidateFacts | undefined, { id }: ExpectedPack): boolean {
  if (facts === undefined || facts.state === "skipped") return false;
  return !(facts.path.endsWith(`/${id}`) && ["absent", "no-home", "unreadable"].includes(facts.state));
}
