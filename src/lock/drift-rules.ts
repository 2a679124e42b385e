import type { RootManifest } from "./entry.ts";
import { type LockEdge, type LockGraph, showAsker, toEdges, toWanted } from "./graph.ts";
import type { LockProblem } from "./problem.ts";
import { toProductionSet, toReached } from "./reach.ts";

/** package.json against the copy of it that the lock was made for: a difference means that one is ahead. */
export function toRootDrift(packageJson: RootManifest, locked: RootManifest): LockProblem[] {
  const maps = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"] as const;
  const texts = (["name", "version"] as const).flatMap((key) =>
    difference(`package.json: ${key}`, packageJson[key] || undefined, locked[key] || undefined),
  );
  const specs = maps.flatMap((key) => {
    const names = [...new Set([...Object.keys(packageJson[key]), ...Object.keys(locked[key])])].sort();
    return names.flatMap((name) =>
      difference(
        `package.json: ${key}.${name}`,
        ownValue(packageJson[key], name),
        ownValue(locked[key], name),
      ),
    );
  });
  return [...texts, ...specs];
}

/**
 * What npm says about each edge. A peer edge between packages may be unsatisfied, because npm itself installs such
 * trees; one of package.json may not.
 */
export function toEdgeProblems(graph: LockGraph): LockProblem[] {
  return toProductionEdges(graph).flatMap((edge): LockProblem[] => {
    if (edge.state === "ok") return [];
    const asker = showAsker(edge);
    if (edge.state === "missing") {
      return [
        { code: "lock.edge-missing", subject: edge.name, expected: `an entry for ${asker}`, got: "none" },
      ];
    }
    if (edge.from !== "" && (edge.type === "peer" || edge.type === "peerOptional")) return [];
    const got = graph.nodes.get(edge.to ?? "")?.entry.version ?? "nothing";
    const subject = edge.to ?? edge.name;
    return [{ code: "lock.edge-unsatisfied", subject, expected: `what suits ${asker}`, got }];
  });
}

/** The folder's name is whatever an alias says; the real name must be what was asked for. */
export function toAliasProblems(graph: LockGraph): LockProblem[] {
  return toEdges(graph).flatMap((edge): LockProblem[] => {
    const entry = graph.nodes.get(edge.to ?? "")?.entry;
    const wanted = toWanted(edge);
    if (entry === undefined || entry.name === wanted.name) return [];
    const expected = `the package ${wanted.name} for ${showAsker(edge)}`;
    return [{ code: "lock.alias-mismatch", subject: entry.location, expected, got: entry.name }];
  });
}

/** An entry that nothing asks for was left over or put in by hand. Bundled ones are in a tarball anyway. */
export function toUnreachableProblems(graph: LockGraph): LockProblem[] {
  const reached = toReached(graph, () => true);
  return [...graph.nodes.values()]
    .filter(({ entry }) => !entry.inBundle && !reached.has(entry.location))
    .map(({ entry }) => ({
      code: "lock.unreachable",
      subject: entry.location,
      expected: "something that asks for it",
      got: "nothing",
    }));
}

/** Edges of package.json and of everything a pack may hold. */
export function toProductionEdges(graph: LockGraph): LockEdge[] {
  const production = toProductionSet(graph);
  return toEdges(graph).filter((edge) => edge.from === "" || production.has(edge.from));
}

/** `optional` edges that found nothing; optional peers are nobody's promise. */
export function toHoles(graph: LockGraph): LockEdge[] {
  return toProductionEdges(graph).filter((edge) => edge.type === "optional" && edge.to === undefined);
}

function difference(
  subject: string,
  declared: string | undefined,
  locked: string | undefined,
): LockProblem[] {
  if (declared === locked) return [];
  const expected = `the lock's ${locked ?? "absence"}`;
  return [{ code: "lock.root-mismatch", subject, expected, got: declared ?? "nothing" }];
}

function ownValue(map: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}
