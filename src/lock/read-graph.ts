import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import Arborist from "@npmcli/arborist";
import { comparePaths } from "../tree/path-order.ts";
import type { ParsedLock } from "./entry.ts";
import { lockError } from "./errors.ts";
import type { LockEdge, LockGraph, LockNode } from "./graph.ts";

/** Everything that npm's reader needs, as another thread can be given it. */
export interface GraphJob {
  /** A private folder that holds nothing else. */
  readonly folder: string;
  readonly lock: ParsedLock;
  readonly lockBytes: Uint8Array;
  readonly packageJson: Uint8Array;
}

/**
 * npm's own reading of a lock, from a folder without another lock, node_modules or configuration of the machine; no
 * network.
 * @throws lock.override-conflict, lock.unloadable
 */
export async function readGraph({ folder, lock, lockBytes, packageJson }: GraphJob): Promise<LockGraph> {
  try {
    await writeFile(join(folder, "package.json"), packageJson);
    await writeFile(join(folder, "package-lock.json"), lockBytes);
    const root = await new Arborist({ path: folder, ...virtualOptions }).loadVirtual();
    return toGraph(lock, root);
  } catch (cause) {
    throw toLoadError(cause);
  }
}

/** Whatever npm's configuration says: these shape the tree. */
const virtualOptions = {
  legacyPeerDeps: false,
  installLinks: false,
  workspacesEnabled: false,
  progress: false,
};

function toGraph(lock: ParsedLock, root: Arborist.Node): LockGraph {
  const inventory = new Map([...root.inventory.values()].map((node) => [node.location, node]));
  const nodes = new Map<string, LockNode>();
  for (const entry of lock.entries) {
    const node = inventory.get(entry.location);
    if (node === undefined) throw new Error(`no node for ${entry.location}`);
    nodes.set(entry.location, { entry, edges: toEdgesOut(node) });
  }
  return { rootEdges: toEdgesOut(root), nodes };
}

function toEdgesOut(node: Arborist.Node): LockEdge[] {
  const from = node.isRoot ? "" : node.location;
  return [...node.edgesOut.values()]
    .map((edge) => toEdge(edge, from))
    .sort((a, b) => comparePaths(a.name, b.name));
}

function toEdge(edge: Arborist.Edge, from: string): LockEdge {
  const { name, spec, error, to } = edge;
  const type = edge.type as LockEdge["type"];
  const state = error === null ? "ok" : error === "MISSING" ? "missing" : "invalid";
  return { from, name, spec, type, state, ...(to === null ? {} : { to: to.location }) };
}

function toLoadError(cause: unknown) {
  const { code, message } = cause as NodeJS.ErrnoException;
  const override = code === "EOVERRIDE" || /resolve reference/.test(message);
  return lockError(override ? "lock.override-conflict" : "lock.unloadable", {
    subject: "package.json and its lock",
    expected: override ? "overrides that agree with the dependencies" : "a tree",
    got: message.split("\n")[0] ?? "an error",
    cause,
  });
}
