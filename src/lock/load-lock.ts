import { join } from "node:path";
import type { PackDefinition } from "../definition/pack-definition.ts";
import { definitionRules } from "./definition-rules.ts";
import { toAliasProblems, toEdgeProblems, toRootDrift, toUnreachableProblems } from "./drift-rules.ts";
import { toEntryProblems } from "./entry-policy.ts";
import type { LockGraph } from "./graph.ts";
import { loadGraph } from "./load-graph.ts";
import { maximumLockBytes, parseLock } from "./parse-lock.ts";
import { maximumRootBytes, parseRootManifest } from "./parse-root-manifest.ts";
import { assertNoProblem, type LockProblem } from "./problem.ts";
import { readOwnFile } from "./read-own-file.ts";
import { verifyLockDigest } from "./verify-lock-digest.ts";

export interface LockSource {
  readonly packDir: string;
  readonly definition: PackDefinition;
  /** A lock from elsewhere with its own pin, in place of the definition's (D5). */
  readonly lock?: { readonly file: string; readonly sha256: string };
}

/** A lock whose digest, entries and graph have passed everything that does not depend on a target. */
export interface LoadedLock {
  /** Where it was read, as messages call it. */
  readonly file: string;
  /** The lock and package.json, byte for byte, as a pack holds them. */
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly packageJson: Uint8Array;
  readonly graph: LockGraph;
}

/**
 * Reads a pack's lock: digest first, then shape, then policy, all problems at once.
 * @throws a `lock.*` code
 */
export async function loadLock(source: LockSource): Promise<LoadedLock> {
  const { loaded, problems } = await inspectLock(source);
  assertNoProblem(problems);
  return loaded;
}

/**
 * The same, with the policy's problems as data. A lock whose entries may not be is not given to npm's reader: its graph is empty.
 * @throws what stops before policy: an unreadable file, another digest, another shape
 */
export async function inspectLock(
  source: LockSource,
): Promise<{ loaded: LoadedLock; problems: LockProblem[] }> {
  const { packDir, definition } = source;
  const file = source.lock?.file ?? join(packDir, definition.lock.path);
  const sha256 = source.lock?.sha256 ?? definition.lock.sha256;
  const bytes = await readOwnFile(file, maximumLockBytes);
  verifyLockDigest(bytes, sha256, file);
  const manifestFile = join(packDir, "package.json");
  const packageJson = await readOwnFile(manifestFile, maximumRootBytes);
  const loaded = { file, bytes, sha256, packageJson };
  return { ...(await judgeLock(loaded, definition, manifestFile)) };
}

/** The policy on bytes that are already read. */
export async function judgeLock(
  files: Omit<LoadedLock, "graph">,
  definition: PackDefinition,
  manifestFile: string,
): Promise<{ loaded: LoadedLock; problems: LockProblem[] }> {
  const lock = parseLock(files.bytes, files.file);
  const manifest = parseRootManifest(files.packageJson, manifestFile);
  const entryProblems = [...toEntryProblems(lock, definition.origins), ...toRootDrift(manifest, lock.root)];
  if (entryProblems.length > 0) return { loaded: { ...files, graph: emptyGraph }, problems: entryProblems };
  const graph = await loadGraph(lock, files.bytes, files.packageJson);
  return { loaded: { ...files, graph }, problems: toGraphProblems(graph, definition) };
}

const emptyGraph: LockGraph = { rootEdges: [], nodes: new Map() };

export function toGraphProblems(graph: LockGraph, definition: PackDefinition): LockProblem[] {
  return [
    ...definitionRules.flatMap((rule) => rule(graph, definition)),
    ...toEdgeProblems(graph),
    ...toAliasProblems(graph),
    ...toUnreachableProblems(graph),
  ];
}
