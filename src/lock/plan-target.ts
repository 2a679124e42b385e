import type { AbsentDefinition, PackDefinition } from "../definition/pack-definition.ts";
import type { Target } from "../definition/target.ts";
import { toClaimProblems, toUnownedProblems } from "./command-owners.ts";
import type { LockEntry } from "./entry.ts";
import { lockError } from "./errors.ts";
import type { LockGraph } from "./graph.ts";
import { toBundler } from "./integrity-rules.ts";
import { toBrokenChain, toPlaceable } from "./placeable.ts";
import { assertNoProblem } from "./problem.ts";
import { toReached } from "./reach.ts";
import type { Plan, PlannedPackage } from "./types.ts";

/**
 * What one target gets: all that package.json reaches, less development dependencies and optional ones that do not fit
 * the target. A pure function; the lock has passed its policy.
 * @throws lock.undeclared-target, lock.absent-for-target, lock.platform-required, lock.file-unowned, lock.command-claimed-twice
 */
export function planTarget(
  lock: { readonly graph: LockGraph },
  definition: PackDefinition,
  target: Target,
): Plan {
  assertDeclared(definition, target);
  assertReleased(definition.absent, target);
  const entries = toPlannedEntries(lock.graph, target);
  const locations = new Set(entries.map((entry) => entry.location));
  assertNoProblem([
    ...toUnownedProblems(definition, target.id, locations),
    ...toClaimProblems(definition, target.id, entries),
  ]);
  const byLocation = new Map(entries.map((entry) => [entry.location, entry]));
  const notes = definition.absent.map(
    (row) => `${row.package} has no release; only ${row.target} would need it`,
  );
  return { target, packages: entries.map((entry) => toPlanned(entry, byLocation)), notes };
}

function toPlannedEntries(graph: LockGraph, target: Target): LockEntry[] {
  const placeable = toPlaceable(graph, target);
  assertFits(graph, placeable, target);
  const reached = toReached(graph, (edge) => edge.type !== "dev" && placeable.has(edge.to ?? ""));
  const all = [...graph.nodes.values()].map((node) => node.entry);
  const byLocation = new Map(all.map((entry) => [entry.location, entry]));
  return all.filter((entry) => {
    const bundler = entry.inBundle ? toBundler(entry, byLocation) : undefined;
    return reached.has(bundler ?? entry.location);
  });
}

function toPlanned(entry: LockEntry, byLocation: ReadonlyMap<string, LockEntry>): PlannedPackage {
  const { location, name, version, resolved, hasInstallScript } = entry;
  const bundledIn = entry.inBundle ? toBundler(entry, byLocation) : undefined;
  return {
    location,
    name,
    version,
    integrity: entry.inBundle ? "" : (entry.integrity ?? ""),
    ...(resolved === undefined || entry.inBundle ? {} : { resolved }),
    ...(bundledIn === undefined ? {} : { bundledIn }),
    hasInstallScript,
  };
}

function assertDeclared(definition: PackDefinition, target: Target): void {
  if (definition.targets.includes(target.id)) return;
  const expected = `one of ${definition.targets.join(", ")}`;
  throw lockError("lock.undeclared-target", { subject: definition.name, expected, got: target.id });
}

/** npm would install nothing in its place and say nothing (B13). */
function assertReleased(absent: readonly AbsentDefinition[], target: Target): void {
  const missing = absent.filter((row) => row.target === target.id).map((row) => row.package);
  if (missing.length === 0) return;
  throw lockError("lock.absent-for-target", {
    subject: target.id,
    expected: `a release of ${missing.join(", ")}`,
    got: "none in the lock",
    details: { target: target.id, packages: missing },
  });
}

function assertFits(graph: LockGraph, placeable: ReadonlySet<string>, target: Target): void {
  const chain = toBrokenChain(graph, placeable);
  const last = chain.at(-1);
  if (last === undefined) return;
  const path = ["package.json", ...chain.map((edge) => edge.to)].join(" → ");
  throw lockError("lock.platform-required", {
    subject: last.to ?? last.name,
    expected: target.id,
    got: path,
  });
}
