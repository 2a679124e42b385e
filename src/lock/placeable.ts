import type { Target } from "../definition/target.ts";
import type { LockEntry } from "./entry.ts";
import { fitsTarget } from "./fits-target.ts";
import { isOptional, type LockEdge, type LockGraph } from "./graph.ts";

/** Locations that can stand in a target's tree: they fit, and so does all that they require, to the last. */
export function toPlaceable(graph: LockGraph, target: Target): Set<string> {
  // A bundled package comes with its parent, whatever it says.
  const fits = (entry: LockEntry) => entry.inBundle || fitsTarget(entry, target);
  const nodes = [...graph.nodes.values()];
  const placeable = new Set(nodes.filter(({ entry }) => fits(entry)).map(({ entry }) => entry.location));
  const requirers = toRequirers(graph);
  const lost = nodes.map(({ entry }) => entry.location).filter((location) => !placeable.has(location));
  for (let location = lost.pop(); location !== undefined; location = lost.pop()) {
    for (const requirer of requirers.get(location) ?? []) {
      if (placeable.delete(requirer)) lost.push(requirer);
    }
  }
  return placeable;
}

/** By location: who requires it. */
function toRequirers(graph: LockGraph): Map<string, string[]> {
  const requirers = new Map<string, string[]>();
  for (const { entry, edges } of graph.nodes.values()) {
    for (const edge of edges) {
      if (!isRequired(edge)) continue;
      const known = requirers.get(edge.to);
      if (known === undefined) requirers.set(edge.to, [entry.location]);
      else known.push(entry.location);
    }
  }
  return requirers;
}

/** The chain of required edges from package.json to the first package that does not fit; empty when all do. */
export function toBrokenChain(graph: LockGraph, placeable: ReadonlySet<string>): LockEdge[] {
  const chain = new Set<LockEdge>();
  let edges = graph.rootEdges;
  for (;;) {
    const broken = edges.find((edge) => isRequired(edge) && !placeable.has(edge.to) && !chain.has(edge));
    if (broken === undefined) return [...chain];
    chain.add(broken);
    edges = graph.nodes.get(broken.to ?? "")?.edges ?? [];
  }
}

/** Missing required edges are drift, found before; here they would only hide the cause. */
function isRequired(edge: LockEdge): edge is LockEdge & { readonly to: string } {
  return edge.type !== "dev" && !isOptional(edge) && edge.to !== undefined;
}
