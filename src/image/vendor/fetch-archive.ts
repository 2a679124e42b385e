import { isSealpackError } from "../../errors.ts";
import { isCached } from "../../fetch/cache-entry.ts";
import type { NpmOptions } from "../../fetch/npm-options.ts";
import { readBody, request } from "../../fetch/registry-request.ts";
import { type FleetArchive, toArchiveUrl } from "../fleet-definition.ts";
import { hashInput } from "../hash-input.ts";
import { vendorError } from "./errors.ts";
import { putVerified, readChunks } from "./put-verified.ts";

export interface ArchiveRequest {
  readonly name: string;
  readonly archive: FleetArchive;
  /** Where it goes in the vendored folder. */
  readonly path: string;
  /** A file given in place of the download. */
  readonly file?: string;
  readonly offline: boolean;
  readonly npm: NpmOptions;
  readonly signal: AbortSignal;
}

const deadlineMs = 30 * 60 * 1000;

/**
 * Puts one release archive into the folder, from the given file or its URL; only bytes with the pinned SHA-256 get there.
 * @throws vendor.archive-unreachable, vendor.archive-digest
 */
export async function fetchArchive(wanted: ArchiveRequest): Promise<"given" | "downloaded" | "kept"> {
  const { name, archive, path, file } = wanted;
  if ((await isCached(path)) && hashInput(path, name) === archive.sha256) return "kept";
  const judge = ({ sha256 }: { sha256: string }) => {
    if (sha256 === archive.sha256) return undefined;
    return vendorError("vendor.archive-digest", {
      subject: `${name} ${archive.version}`,
      expected: archive.sha256,
      got: sha256,
    });
  };
  try {
    await putVerified(path, file === undefined ? download(wanted) : readChunks(file), judge);
    return file === undefined ? "downloaded" : "given";
  } catch (error) {
    if (isSealpackError(error) && error.code.startsWith("vendor.")) throw error;
    throw unreachable(wanted, error);
  }
}

async function* download({
  name,
  archive,
  npm,
  offline,
  signal: stop,
}: ArchiveRequest): AsyncGenerator<Uint8Array> {
  if (offline) throw new Error("--offline");
  const signal = AbortSignal.any([stop, AbortSignal.timeout(deadlineMs)]);
  const wanted = { url: toArchiveUrl(archive), name, subject: `${name}@${archive.version}`, npm, signal };
  yield* readBody(await request(wanted), wanted);
}

function unreachable({ name, archive, file }: ArchiveRequest, cause: unknown) {
  const got = cause instanceof Error ? cause.message : String(cause);
  const expected = file === undefined ? `an archive from ${toArchiveUrl(archive)}` : `to read ${file}`;
  return vendorError("vendor.archive-unreachable", {
    subject: `${name} ${archive.version}`,
    expected,
    got,
    cause,
  });
}
