import type { LockEntry } from "./entry.ts";

/** The virtual tree as data: what asks for what, and where it is found. */
export interface LockGraph {
  readonly rootEdges: readonly LockEdge[];
  /** By location, in the order of the locations' bytes. */
  readonly nodes: ReadonlyMap<string, LockNode>;
}

export interface LockNode {
  readonly entry: LockEntry;
  readonly edges: readonly LockEdge[];
}

export interface LockEdge {
  /** Location of what asks; "" for package.json. */
  readonly from: string;
  /** Folder name under which it is looked for. */
  readonly name: string;
  /** What is asked for, overrides of package.json applied. */
  readonly spec: string;
  readonly type: "prod" | "dev" | "optional" | "peer" | "peerOptional";
  /** Location of what is found. */
  readonly to?: string;
  /** npm's verdict. An override that the entry does not follow is `invalid` too. */
  readonly state: "ok" | "missing" | "invalid";
}

/** `npm:real@1.2.3` asks for `real` at 1.2.3, whatever the folder is called. */
export function toWanted(edge: Pick<LockEdge, "name" | "spec">): { name: string; range: string } {
  const alias = /^npm:(@?[^@]+)(?:@(.*))?$/.exec(edge.spec);
  if (alias === null) return { name: edge.name, range: edge.spec };
  return { name: alias[1] as string, range: alias[2] ?? "*" };
}

export function isOptional(edge: LockEdge): boolean {
  return edge.type === "optional" || edge.type === "peerOptional";
}

/** All edges that a pack has to do with: development dependencies of package.json are not in it. */
export function toEdges(graph: LockGraph): LockEdge[] {
  return [...graph.rootEdges, ...[...graph.nodes.values()].flatMap((node) => node.edges)].filter(
    (edge) => edge.type !== "dev",
  );
}

/** Who asked, as messages say it. */
export function showAsker({ from, name, spec }: LockEdge): string {
  return `${from === "" ? "package.json" : from} (asks for ${name}@${spec})`;
}
