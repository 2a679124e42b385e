import type { FileHandle } from "node:fs/promises";
import { IntegrityCheck, parseIntegrity } from "../archive/integrity.ts";
import { defaultLimits } from "../archive/limits.ts";
import { isSealpackError } from "../errors.ts";
import { attempt, writeCached } from "./cache-entry.ts";
import { fetchError } from "./errors.ts";
import type { NpmOptions } from "./npm-options.ts";
import { readDistTarball } from "./read-dist-tarball.ts";
import { readBody, request } from "./registry-request.ts";
import { toRegistry, toResolvedUrl, toTarballUrl } from "./tarball-url.ts";

/** A package version as a lock pins it. */
export interface PinnedPackage {
  readonly name: string;
  readonly version: string;
  /** SRI with sha512: the only thing that decides which bytes are accepted. */
  readonly integrity: string;
  /** URL that the lock names. A hint where to look first. */
  readonly resolved?: string;
}

export interface DownloadOptions {
  readonly npm: NpmOptions;
  readonly signal: AbortSignal;
  /** Bytes of one archive. */
  readonly limit?: number;
}

const attempts = 3;
const deadlineMs = 30 * 60 * 1000;

/**
 * Downloads one archive into its place in the cache. Bytes with another digest never get there. The caller aborts the
 * signal after an error: whoever sends too much must not keep sending.
 * @returns its size in bytes
 * @throws fetch.*
 */
export async function downloadTarball(
  pinned: PinnedPackage,
  path: string,
  options: DownloadOptions,
): Promise<number> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(deadlineMs)]);
  const bound = { ...options, signal };
  const url = toFirstUrl(pinned, options.npm);
  try {
    return await downloadFrom(url, pinned, path, bound);
  } catch (error) {
    if (!isCode(error, "fetch.not-found")) throw error;
    const other = await readDistTarball(pinned, options.npm, signal, options.limit);
    if (other === undefined || other === url) throw error;
    return await downloadFrom(other, pinned, path, bound);
  }
}

function toFirstUrl({ name, version, resolved }: PinnedPackage, npm: NpmOptions): string {
  const registry = toRegistry(name, npm);
  if (resolved === undefined) return toTarballUrl(registry, name, version);
  return toResolvedUrl(resolved, registry, npm, `${name}@${version}`);
}

/** A connection that breaks half-way is tried again; an answer, right or wrong, is final. (npm's client retries the rest.) */
async function downloadFrom(
  url: string,
  pinned: PinnedPackage,
  path: string,
  options: DownloadOptions,
): Promise<number> {
  for (let attemptNumber = 1; ; attemptNumber += 1) {
    try {
      return await downloadOnce(url, pinned, path, options);
    } catch (error) {
      if (attemptNumber === attempts || !isCode(error, "fetch.broken")) throw error;
    }
  }
}

async function downloadOnce(
  url: string,
  pinned: PinnedPackage,
  path: string,
  options: DownloadOptions,
): Promise<number> {
  const subject = `${pinned.name}@${pinned.version}`;
  const wanted = { url, name: pinned.name, subject, npm: options.npm, signal: options.signal };
  let bytes = 0;
  await writeCached(path, async (file) => {
    const check = new IntegrityCheck(parseIntegrity(pinned.integrity, subject));
    const body = readBody(await request(wanted), wanted);
    bytes = await copy(body, file, check, { path, subject, limit: options.limit });
    const wrong = check.finish();
    if (wrong) throw fetchError("fetch.integrity", { subject, ...wrong });
  });
  return bytes;
}

async function copy(
  body: AsyncIterable<Uint8Array>,
  file: FileHandle,
  check: IntegrityCheck,
  {
    path,
    subject,
    limit = defaultLimits.compressedBytes,
  }: { path: string; subject: string; limit: number | undefined },
): Promise<number> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > limit) {
      throw fetchError("fetch.too-large", { subject, expected: `at most ${limit} bytes`, got: "more" });
    }
    check.update(chunk);
    await attempt(path, () => file.writeFile(chunk));
  }
  return bytes;
}

function isCode(error: unknown, code: string): boolean {
  return isSealpackError(error) && error.code === code;
}
