import type { UnpackedArchive, UnpackJob } from "../archive/unpack-tarball.ts";
import { unpackTarballs } from "../archive/unpack-tarballs.ts";
import { discardCached } from "./cache-entry.ts";
import type { PinnedPackage } from "./download-tarball.ts";
import { fetchError } from "./errors.ts";
import { type FetchOptions, fetchTarballs } from "./fetch-tarballs.ts";

export interface PinnedDestination extends PinnedPackage {
  /** Directory that the package is unpacked into. */
  readonly destination: string;
}

/**
 * Fetches what is missing, then unpacks all, each archive checked whole right before. A cached archive that went bad
 * leaves the cache: online it is fetched once more, offline the build stops.
 * @returns results in the order of `packages`
 * @throws fetch.*, archive.*
 */
export async function fetchAndUnpack(
  packages: readonly PinnedDestination[],
  options: FetchOptions,
): Promise<readonly UnpackedArchive[]> {
  const paths = await fetchTarballs(packages, options);
  const pinnedOf = new Map<UnpackJob["destination"], PinnedPackage>();
  const jobs = packages.map((pinned) => {
    pinnedOf.set(pinned.destination, pinned);
    return toJob(pinned, paths);
  });
  const repairs = new Map<string, Promise<void>>();
  return await unpackTarballs(jobs, {
    ...(options.signal && { signal: options.signal }),
    onCorrupt: async (job) => {
      const pinned = pinnedOf.get(job.destination);
      if (pinned === undefined) return;
      // Several packages may share one archive; it is replaced once.
      const repair = repairs.get(job.file) ?? replace(pinned, job.file, options);
      repairs.set(job.file, repair);
      await repair;
    },
  });
}

function toJob(pinned: PinnedDestination, paths: ReadonlyMap<string, string>): UnpackJob {
  const { name, version, integrity, destination } = pinned;
  return { file: paths.get(integrity) ?? "", integrity, destination, label: `${name}@${version}` };
}

async function replace(pinned: PinnedPackage, path: string, options: FetchOptions): Promise<void> {
  await discardCached(path);
  if (!options.offline) {
    await fetchTarballs([pinned], options);
    return;
  }
  throw fetchError("fetch.cache-corrupt", {
    subject: `${pinned.name}@${pinned.version}`,
    expected: "the bytes it was stored with",
    got: "others; it was removed from the cache",
  });
}
