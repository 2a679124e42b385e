import { lstat } from "node:fs/promises";
import { type UnpackedArchive, type UnpackJob, unpackTarball } from "./unpack-tarball.ts";

/**
 * Unpacks several archives at once, the largest first, so that none of them is left over for the end.
 * The first error stops the others and is thrown once they have stopped.
 * @returns results in the order of `jobs`
 */
export async function unpackTarballs(
  jobs: readonly UnpackJob[],
  options: { readonly concurrency?: number; readonly signal?: AbortSignal } = {},
): Promise<readonly UnpackedArchive[]> {
  const results: UnpackedArchive[] = new Array(jobs.length);
  const queue = await toQueue(jobs);
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      signal.throwIfAborted();
      results[next.index] = await unpackTarball({ ...next.job, signal });
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
