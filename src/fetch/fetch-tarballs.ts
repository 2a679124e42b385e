import { isCached } from "./cache-entry.ts";
import { toCachePath } from "./cache-path.ts";
import { downloadTarball, type PinnedPackage } from "./download-tarball.ts";
import { fetchError } from "./errors.ts";
import type { NpmOptions } from "./npm-options.ts";

export interface FetchOptions {
  /** Cache directory; made when it is not there. */
  readonly cache: string;
  /** True: never reach for a network, and fail with everything that is missing. */
  readonly offline: boolean;
  /** Not read when offline. */
  readonly npm: NpmOptions;
  readonly concurrency?: number;
  /** Bytes of one archive. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: FetchProgress) => void;
}

export interface FetchProgress {
  /** name@version of the archive that has just arrived. */
  readonly label: string;
  readonly bytes: number;
  readonly done: number;
  readonly total: number;
}

interface Wanted {
  readonly pinned: PinnedPackage;
  readonly path: string;
}

/**
 * Brings every pinned archive into the cache and says where each is, by its integrity.
 * @throws fetch.*, archive.integrity-*
 */
export async function fetchTarballs(
  packages: readonly PinnedPackage[],
  options: FetchOptions,
): Promise<ReadonlyMap<string, string>> {
  const wanted = toWanted(packages, options.cache);
  const missing = await selectMissing([...wanted.values()]);
  if (options.offline) assertNothingMissing(missing);
  else await downloadAll(missing, options);
  return new Map(
    packages.map(({ integrity, name }) => [integrity, toCachePath(options.cache, integrity, name)]),
  );
}

/** By path: several locations of a lock share one archive. */
function toWanted(packages: readonly PinnedPackage[], cache: string): ReadonlyMap<string, Wanted> {
  const wanted = new Map<string, Wanted>();
  for (const pinned of packages) {
    const path = toCachePath(cache, pinned.integrity, toLabel(pinned));
    if (!wanted.has(path)) wanted.set(path, { pinned, path });
  }
  return wanted;
}

async function selectMissing(wanted: readonly Wanted[]): Promise<readonly Wanted[]> {
  const cached = await Promise.all(wanted.map(({ path }) => isCached(path)));
  return wanted.filter((_, index) => !cached[index]);
}

function assertNothingMissing(missing: readonly Wanted[]): void {
  if (missing.length === 0) return;
  const labels = missing.map(({ pinned }) => toLabel(pinned)).sort();
  throw fetchError("fetch.offline-missing", {
    subject: "cache",
    expected: "every archive that the lock pins",
    got: `${labels.length} missing: ${labels.join(", ")}`,
    details: { missing: labels },
  });
}

async function downloadAll(missing: readonly Wanted[], options: FetchOptions): Promise<void> {
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const queue = [...missing];
  const total = missing.length;
  let done = 0;
  const limit = options.limit === undefined ? {} : { limit: options.limit };
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      signal.throwIfAborted();
      const bytes = await downloadTarball(next.pinned, next.path, { npm: options.npm, signal, ...limit });
      done += 1;
      options.onProgress?.({ label: toLabel(next.pinned), bytes, done, total });
    }
  };
  const fail = (error: unknown) => {
    stop.abort(error);
  };
  await Promise.all(Array.from({ length: options.concurrency ?? 8 }, () => work().catch(fail)));
  signal.throwIfAborted();
}

function toLabel({ name, version }: PinnedPackage): string {
  return `${name}@${version}`;
}
