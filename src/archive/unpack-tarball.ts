import { chmodSync, mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type ArchiveSource, chunkBytes, readRange, withArchive } from "./archive-source.ts";
import { archiveError } from "./errors.ts";
import { FileSink } from "./file-sink.ts";
import { inflateMember } from "./inflate-member.ts";
import { type Integrity, IntegrityCheck, parseIntegrity } from "./integrity.ts";
import { defaultLimits, type Limits } from "./limits.ts";
import { TarReader } from "./tar-reader.ts";

export interface UnpackJob {
  /** The cached archive. */
  readonly file: string;
  /** SRI with sha512. */
  readonly integrity: string;
  /** A directory that nothing else writes to; made when it is not there. The caller removes it after an error. */
  readonly destination: string;
  /** What messages call the archive: name@version. */
  readonly label?: string;
  readonly limits?: Limits;
  readonly signal?: AbortSignal;
}

export interface UnpackedArchive {
  readonly files: number;
  /** Bytes of all files. */
  readonly bytes: number;
  /** Files and directories that the archive names. */
  readonly entries: number;
}

/**
 * Hashes an npm archive whole, then unpacks it from the same descriptor, so that wrong bytes are never read as gzip.
 * @throws a code of `archiveErrors`; nothing is ever written outside `destination`
 */
export async function unpackTarball(job: UnpackJob): Promise<UnpackedArchive> {
  const { label = job.file, limits = defaultLimits, signal } = job;
  const integrity = parseIntegrity(job.integrity, label);
  return await withArchive(job.file, { label, limits, signal }, async (source) => {
    await verifyDigest(source, integrity);
    makeDestination(resolve(job.destination), label);
    return await unpackInto(job.destination, source, limits);
  });
}

async function verifyDigest(source: ArchiveSource, integrity: Integrity): Promise<void> {
  const check = new IntegrityCheck(integrity);
  const buffer = Buffer.allocUnsafe(chunkBytes);
  for await (const chunk of readRange(source, 0, source.size, buffer)) check.update(chunk);
  const wrong = check.finish();
  if (wrong) throw archiveError("archive.integrity", { subject: source.label, ...wrong });
}

async function unpackInto(
  destination: string,
  source: ArchiveSource,
  limits: Limits,
): Promise<UnpackedArchive> {
  const sink = new FileSink(destination, limits, source.label);
  const reader = new TarReader(sink, limits, source.label);
  try {
    await inflateMember(source, (chunk) => reader.push(chunk));
    reader.end();
  } finally {
    sink.close();
  }
  return { ...sink.written, entries: reader.entries };
}

/** Folders that are made on the way get the mode that all get, whatever the umask. */
function makeDestination(destination: string, subject: string): void {
  try {
    const first = mkdirSync(destination, { recursive: true });
    if (first === undefined) return;
    for (let path = destination; path.length >= first.length; path = dirname(path)) chmodSync(path, 0o755);
  } catch (cause) {
    const got = (cause as NodeJS.ErrnoException).code ?? "an error";
    const expected = "a directory to unpack into";
    throw archiveError("archive.write-failed", { subject, expected, got, cause });
  }
}
