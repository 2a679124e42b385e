import { defaultRegistry } from "../fetch/tarball-url.ts";
import type { ParsedLock } from "./entry.ts";
import { bundleRule, integrityRule } from "./integrity-rules.ts";
import type { LockProblem } from "./problem.ts";
import {
  type EntryRule,
  featureRule,
  linkRule,
  locationRule,
  shrinkwrapRule,
  sourceRule,
} from "./source-rules.ts";

export const entryRules: readonly EntryRule[] = [
  linkRule,
  locationRule,
  sourceRule,
  integrityRule,
  bundleRule,
  shrinkwrapRule,
  featureRule,
];

/**
 * What each entry may say, whatever the tree looks like.
 * @param origins pack.yaml's; npm's default is always allowed, the machine's configuration never counts
 */
export function toEntryProblems(lock: ParsedLock, origins: readonly string[]): LockProblem[] {
  const context = {
    origins: new Set([new URL(defaultRegistry).origin, ...origins]),
    byLocation: new Map(lock.entries.map((entry) => [entry.location, entry])),
  };
  return lock.entries.flatMap((entry) => entryRules.flatMap((rule) => rule(entry, context)));
}
