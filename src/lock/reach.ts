import type { LockEdge, LockGraph } from "./graph.ts";

/** Locations that package.json reaches over the edges that `follow` accepts; bundled ones come with their bundler. */
export function toReached(graph: LockGraph, follow: (edge: LockEdge) => boolean): Set<string> {
  const reached = new Set<string>();
  const queue = [...graph.rootEdges];
  for (let edge = queue.pop(); edge !== undefined; edge = queue.pop()) {
    if (edge.to === undefined || reached.has(edge.to) || !follow(edge)) continue;
    reached.add(edge.to);
    queue.push(...(graph.nodes.get(edge.to)?.edges ?? []));
  }
  return reached;
}

/** Locations that a pack for some target may hold. */
export function toProductionSet(graph: LockGraph): Set<string> {
  return toReached(graph, (edge) => edge.type !== "dev");
}
