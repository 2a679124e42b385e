import { lstat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { isSealpackError } from "../errors.ts";
import type { UnpackedArchive, UnpackJob } from "./unpack-tarball.ts";
import { localLane, startWorkerLane, type UnpackLane } from "./worker-lane.ts";

export interface UnpackOptions {
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
  /** Called when a file does not have its digest. When it returns, the job is tried once more. */
  readonly onCorrupt?: (job: UnpackJob) => Promise<void>;
}

interface QueuedJob {
  readonly job: UnpackJob;
  readonly index: number;
  readonly size: number;
}

/** Below this a second thread's start (60 ms) costs more than it brings. */
const workerBytes = 32 * 1024 * 1024;

/**
 * Unpacks several archives at once, the largest first, so that none of them is left over for the end; many bytes in two
 * threads, since hashing and writing keep one busy. The first error stops the others and is thrown once they have stopped.
 * @returns results in the order of `jobs`
 */
export async function unpackTarballs(
  jobs: readonly UnpackJob[],
  options: UnpackOptions = {},
): Promise<readonly UnpackedArchive[]> {
  const results: UnpackedArchive[] = new Array(jobs.length);
  const queue = await toQueue(jobs);
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const work = async (lane: UnpackLane) => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      signal.throwIfAborted();
      results[next.index] = await unpackOrRepair(lane, { ...next.job, signal }, options.onCorrupt);
    }
  };
  const fail = (error: unknown) => {
    stop.abort(error);
  };
  const second = needsWorker(queue) ? startWorkerLane() : localLane;
  const workers = Array.from({ length: options.concurrency ?? 4 }, (_, index) =>
    work(index % 2 === 0 ? localLane : second).catch(fail),
  );
  await Promise.all(workers);
  await second.end();
  signal.throwIfAborted();
  return results;
}

function needsWorker(queue: readonly QueuedJob[]): boolean {
  const bytes = queue.reduce((sum, { size }) => sum + size, 0);
  return queue.length > 1 && bytes >= workerBytes && availableParallelism() > 1;
}

/** The digest is checked before anything is written, so a second try starts from the same destination. */
async function unpackOrRepair(
  lane: UnpackLane,
  job: UnpackJob,
  repair: UnpackOptions["onCorrupt"],
): Promise<UnpackedArchive> {
  try {
    return await lane.unpack(job);
  } catch (error) {
    if (repair === undefined || !isSealpackError(error) || error.code !== "archive.integrity") throw error;
    await repair(job);
    return await lane.unpack(job);
  }
}

async function toQueue(jobs: readonly UnpackJob[]): Promise<QueuedJob[]> {
  const sized = jobs.map(async (job, index) => ({ job, index, size: await sizeOf(job.file) }));
  return (await Promise.all(sized)).sort((a, b) => b.size - a.size || a.index - b.index);
}

/** A missing file is reported by the unpacking itself. */
async function sizeOf(file: string): Promise<number> {
  return lstat(file).then(
    (stat) => stat.size,
    () => 0,
  );
}
