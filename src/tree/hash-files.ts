import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { type HashJob, type HashStates, hashSome } from "./hash-worker.ts";

/** A file to be hashed and the size that it must have. */
export interface FileToHash {
  readonly path: string;
  readonly size: number;
}

export type HashState = "hashed" | "otherKind" | "otherSize" | "changed" | "noStat" | "noRead";

/** What one file turned out to be. `digest` is "" unless the state is `hashed`; the facts are 0 where `noStat`. */
export interface HashedFile {
  readonly state: HashState;
  /** Negative, as Node gives it; 0 where nothing failed. */
  readonly errno: number;
  readonly device: bigint;
  readonly inode: bigint;
  /** st_mode, type bits included. */
  readonly mode: number;
  readonly links: number;
  readonly size: number;
  readonly digest: string;
}

const states: Record<HashState, number> & HashStates = {
  hashed: 1,
  otherKind: 2,
  otherSize: 3,
  changed: 4,
  noStat: 5,
  noRead: 6,
};
const stateNames = new Map(Object.entries(states).map(([name, value]) => [value, name as HashState]));

/** Below this a worker's start (30 ms) costs more than it brings. */
const workerBytes = 16 * 1024 * 1024;
const maxThreads = 8;
/** The main thread hashes in slices, so that timers and signals are served between them. */
const sliceMilliseconds = 100;

/**
 * Starts hashing at once, in as many threads as there are cores, and returns what finishes the work: the caller can
 * walk the tree meanwhile. Paths are below `root`.
 */
export function startHashing(
  root: string,
  files: readonly FileToHash[],
): () => Promise<Map<string, HashedFile>> {
  const job = toJob(root, files);
  const workers = startWorkers(job, countWorkers(files));
  return async () => {
    await hashSlices(job);
    await Promise.all(workers);
    const found = toResults(job);
    const pending = files.filter((file) => !found.has(file.path));
    if (pending.length === 0) return found;
    // A worker died with a claimed file (out of memory, no threads allowed): its files are hashed here.
    const rest = toJob(root, pending);
    await hashSlices(rest);
    return new Map([...found, ...toResults(rest)]);
  };
}

function countWorkers(files: readonly FileToHash[]): number {
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  if (bytes < workerBytes) return 0;
  return Math.min(availableParallelism(), maxThreads, files.length) - 1;
}

function toJob(root: string, files: readonly FileToHash[]): HashJob {
  const sorted = [...files].sort((a, b) => b.size - a.size);
  const count = sorted.length;
  return {
    root,
    paths: sorted.map((file) => file.path),
    sizes: Float64Array.from(sorted, (file) => file.size),
    next: new SharedArrayBuffer(4),
    state: new SharedArrayBuffer(4 * count),
    errno: new SharedArrayBuffer(4 * count),
    stats: new SharedArrayBuffer(40 * count),
    digests: new SharedArrayBuffer(32 * count),
    states,
  };
}

/** From text, so that it works from a source file, a built one and a bundle alike. Each resolves when its worker ended. */
function startWorkers(job: HashJob, count: number): Promise<void>[] {
  const program = `(${hashSome.toString()})(process.getBuiltinModule("node:worker_threads").workerData, Infinity)`;
  return Array.from({ length: count }, () => runWorker(program, job));
}

function runWorker(program: string, job: HashJob): Promise<void> {
  return new Promise((resolve) => {
    try {
      const worker = new Worker(program, { eval: true, workerData: job, execArgv: [], env: {} });
      worker.on("error", () => resolve());
      worker.on("exit", () => resolve());
    } catch {
      resolve();
    }
  });
}

async function hashSlices(job: HashJob): Promise<void> {
  while (!hashSome(job, sliceMilliseconds)) {
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

function toResults(job: HashJob): Map<string, HashedFile> {
  const toResult = resultsOf(job);
  const results = new Map<string, HashedFile>();
  for (const [index, path] of job.paths.entries()) {
    const result = toResult(index);
    if (result !== undefined) results.set(path, result);
  }
  return results;
}

/** Reads one file's result out of the shared memory; undefined where no thread finished it. */
function resultsOf(job: HashJob): (index: number) => HashedFile | undefined {
  const state = new Int32Array(job.state);
  const errno = new Int32Array(job.errno);
  const stats = new BigUint64Array(job.stats);
  const digests = Buffer.from(job.digests);
  return (index) => {
    const name = stateNames.get(state[index] ?? 0);
    if (name === undefined) return undefined;
    const fact = (offset: number) => stats[index * 5 + offset] ?? 0n;
    return {
      state: name,
      errno: errno[index] ?? 0,
      device: fact(0),
      inode: fact(1),
      mode: Number(fact(2)),
      links: Number(fact(3)),
      size: Number(fact(4)),
      digest: name === "hashed" ? digests.toString("hex", index * 32, index * 32 + 32) : "",
    };
  };
}
