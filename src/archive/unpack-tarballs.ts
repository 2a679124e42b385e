import { lstat } from "node:fs/promises";
import { isSealpackError } from "../errors.ts";
import { type UnpackedArchive, type UnpackJob, unpackTarball } from "./unpack-tarball.ts";

export interface UnpackOptions {
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
  /** Called when a file does not have its digest. When it returns, the job is tried once more. */
  readonly onCorrupt?: (job: UnpackJob) => Promise<void>;
}

/**
 * Unpacks several archives at once, the largest first, so that none of them is left over for the end.
 * The first error stops the others and is thrown once they have stopped.
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
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      signal.throwIfAborted();
      results[next.index] = await unpackOrRepair({ ...next.job, signal }, options.onCorrupt);
    }
  };
  const fail = (error: unknown) => {
    stop.abort(error);
  };
  const workers = Array.from({ length: options.concurrency ?? 4 }, () => work().catch(fail));
  await Promise.all(workers);
  signal.throwIfAborted();
  return results;
}

/** The digest is checked before anything is written, so a second try starts from the same destination. */
async function unpackOrRepair(job: UnpackJob, repair: UnpackOptions["onCorrupt"]): Promise<UnpackedArchive> {
  try {
    return await unpackTarball(job);
  } catch (error) {
    if (repair === undefined || !isSealpackError(error) || error.code !== "archive.integrity") throw error;
    await repair(job);
    return await unpackTarball(job);
  }
}

async function toQueue(jobs: readonly UnpackJob[]) {
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
