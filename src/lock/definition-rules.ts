import satisfies from "semver/functions/satisfies.js";
import type { AbsentDefinition, PackDefinition } from "../definition/pack-definition.ts";
import { toHoles, toProductionEdges } from "./drift-rules.ts";
import type { LockEntry } from "./entry.ts";
import { type LockEdge, type LockGraph, showAsker, toWanted } from "./graph.ts";
import type { LockProblem } from "./problem.ts";
import { toProductionSet } from "./reach.ts";

/** One rule on definition and graph together. Each is pure and has its row in the tests. */
export type DefinitionRule = (graph: LockGraph, definition: PackDefinition) => LockProblem[];

/** Every install script is known, and every known one exists (B4). By the real name, which no alias hides. */
export const installScriptRule: DefinitionRule = (graph, { installScripts }) => {
  const acknowledged = new Set(installScripts.map((row) => row.package));
  const scripted = toProductionEntries(graph).filter((entry) => entry.hasInstallScript);
  const present = new Set(scripted.map((entry) => entry.name));
  const unknown = scripted
    .filter((entry) => !acknowledged.has(entry.name))
    .map((entry) => ({
      code: "lock.script-unacknowledged" as const,
      subject: entry.location,
      expected: `a row for ${entry.name} under installScripts`,
      got: "none",
    }));
  const unused = [...acknowledged]
    .filter((name) => !present.has(name))
    .map((name) => ({
      code: "lock.acknowledgement-unused" as const,
      subject: name,
      expected: "a package with an install script",
      got: "none in the lock",
    }));
  return [...unknown, ...unused];
};

/** npm drops an optional dependency that it cannot get and says nothing; so every hole is declared (B13). */
export const absentRule: DefinitionRule = (graph, { absent }) => {
  const holes = toHoles(graph);
  const unlisted = holes
    .filter((hole) => !absent.some((row) => isHoleOf(row, hole)))
    .map((hole) => ({
      code: "lock.hole" as const,
      subject: showWanted(hole),
      expected: `an entry for ${showAsker(hole)}, or a row under absent`,
      got: "neither",
    }));
  const stale = absent
    .filter((row) => !holes.some((hole) => isHoleOf(row, hole)))
    .map((row) => ({
      code: "lock.absent-stale" as const,
      subject: row.package,
      expected: "an optional dependency without an entry",
      got: "none of this name and version",
    }));
  return [...unlisted, ...stale];
};

/** A bridge's version is a pin of its own (B3). */
export const bridgeRule: DefinitionRule = (graph, { bridges }) =>
  Object.entries(bridges).flatMap(([name, bridge]): LockProblem[] => {
    const subject = `node_modules/${bridge.package}`;
    const entry = graph.nodes.get(subject)?.entry;
    if (entry === undefined || entry.name !== bridge.package) {
      return [
        {
          code: "lock.bridge-missing",
          subject,
          expected: `the bridge ${name}`,
          got: entry?.name ?? "nothing",
        },
      ];
    }
    if (entry.version === bridge.version) return [];
    return [{ code: "lock.bridge-version", subject, expected: bridge.version, got: entry.version }];
  });

/**
 * A bridge uses the pack's one copy of its CLI (B3). The copy's own optional dependencies may carry its name: the
 * platform packages of some CLIs are aliases of the same package.
 */
export const drivenRule: DefinitionRule = (graph, { bridges }) => {
  const driven = new Set(
    Object.values(bridges).flatMap(({ drives }) => (drives === undefined ? [] : [drives])),
  );
  return [...driven].flatMap((name) => toCopyProblems(graph, name));
};

export const definitionRules: readonly DefinitionRule[] = [
  installScriptRule,
  absentRule,
  bridgeRule,
  drivenRule,
];

/** A row means an edge when the real name is equal and the version suits what was asked for. */
export function isHoleOf(row: AbsentDefinition, hole: LockEdge): boolean {
  const at = row.package.lastIndexOf("@");
  const { name, range } = toWanted(hole);
  return row.package.slice(0, at) === name && satisfies(row.package.slice(at + 1), range);
}

function toCopyProblems(graph: LockGraph, name: string): LockProblem[] {
  const location = `node_modules/${name}`;
  const copy = graph.nodes.get(location);
  if (copy === undefined || copy.entry.name !== name) {
    return [
      { code: "lock.driven-missing", subject: location, expected: name, got: copy?.entry.name ?? "nothing" },
    ];
  }
  const edges = toProductionEdges(graph);
  const toAskers = (other: string) => edges.filter((edge) => edge.to === other);
  const isPartOf = (other: string, whole: (asker: string) => boolean) =>
    toAskers(other).every((edge) => whole(edge.from) && edge.type === "optional");
  const second = toProductionEntries(graph)
    .filter((entry) => entry.name === name && entry.location !== location)
    .filter((entry) => !isPartOf(entry.location, (asker) => asker === location));
  const locations = new Set(second.map((entry) => entry.location));
  return second
    .filter((entry) => !isPartOf(entry.location, (asker) => locations.has(asker)))
    .map((entry) => ({
      code: "lock.second-copy",
      subject: name,
      expected: `only ${location} (${copy.entry.version})`,
      got: `${entry.location} (${entry.version}), for ${toAskers(entry.location).map(showAsker).join(" and ")}`,
    }));
}

function toProductionEntries(graph: LockGraph): LockEntry[] {
  const production = toProductionSet(graph);
  return [...graph.nodes.values()]
    .map((node) => node.entry)
    .filter(({ location }) => production.has(location));
}

function showWanted(edge: LockEdge): string {
  const { name, range } = toWanted(edge);
  return `${name}@${range}`;
}
