import type { Target } from "../definition/target.ts";
import { fitsTarget } from "./fits-target.ts";
import { isOptional, type LockEdge, type LockGraph } from "./graph.ts";

/** Locations that can stand in a target's tree: they fit, and so does all that they require, to the last. */
export function toPlaceable(graph: LockGraph, target: Target): Set<string> {
  const placeable = new Set<string>();
  for (const { entry } of graph.nodes.values()) {
    // A bundled package comes with its parent, whatever it says.
    if (entry.inBundle || fitsTarget(entry, target)) placeable.add(entry.location);
  }
  for (let before = -1; before !== placeable.size; ) {
    before = placeable.size;
    for (const location of placeable) {
      const edges = graph.nodes.get(location)?.edges ?? [];
      if (edges.some((edge) => isBroken(edge, placeable))) placeable.delete(location);
    }
  }
  return placeable;
}

/** The chain of required edges from package.json to the first package that does not fit; empty when all do. */
export function toBrokenChain(graph: LockGraph, placeable: ReadonlySet<string>): LockEdge[] {
  const chain: LockEdge[] = [];
  let edges = graph.rootEdges;
  for (;;) {
    const broken = edges.find((edge) => isBroken(edge, placeable) && !chain.includes(edge));
    if (broken === undefined) return chain;
    chain.push(broken);
    edges = graph.nodes.get(broken.to ?? "")?.edges ?? [];
  }
}

/** Missing required edges are drift, found before; here they would only hide the cause. */
function isBroken(edge: LockEdge, placeable: ReadonlySet<string>): boolean {
  if (edge.type === "dev" || isOptional(edge) || edge.to === undefined) return false;
  return !placeable.has(edge.to);
}
