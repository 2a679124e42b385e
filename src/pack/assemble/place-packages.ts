import { mkdir, rename, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { unpackTarballs } from "../../archive/unpack-tarballs.ts";
import type { Plan, PlannedPackage } from "../../lock/types.ts";
import { packError } from "../errors.ts";

export interface PlaceRequest {
  /** The tree's root, existing and empty. */
  readonly root: string;
  /** A private folder on the same file system. */
  readonly scratch: string;
  readonly plan: Plan;
  /** Integrity to cached archive. */
  readonly archives: ReadonlyMap<string, string>;
  readonly signal?: AbortSignal;
}

/**
 * Unpacks every package of the plan to its location. Each archive is unpacked alone and renamed into place, so that no
 * archive can write where another package belongs.
 * @throws pack.location-occupied, and what unpacking throws
 */
export async function placePackages(request: PlaceRequest): Promise<void> {
  const packages = request.plan.packages.filter((planned) => planned.bundledIn === undefined);
  await unpackAll(request, packages);
  for (const [index, planned] of packages.entries()) {
    const destination = join(request.root, planned.location);
    await mkdir(dirname(destination), { recursive: true });
    await renameInto(scratchPath(request, index), destination, planned);
  }
  await rmdir(request.scratch);
}

async function unpackAll(request: PlaceRequest, packages: readonly PlannedPackage[]): Promise<void> {
  const jobs = packages.map((planned, index) => ({
    file: archiveOf(request.archives, planned),
    integrity: planned.integrity,
    destination: scratchPath(request, index),
    label: `${planned.name}@${planned.version}`,
  }));
  await mkdir(request.scratch, { recursive: true, mode: 0o700 });
  await unpackTarballs(jobs, request.signal === undefined ? {} : { signal: request.signal });
}

/** Plain numbers: a package's name never becomes a path outside its own location. */
function scratchPath(request: PlaceRequest, index: number): string {
  return join(request.scratch, String(index));
}

function archiveOf(archives: ReadonlyMap<string, string>, planned: PlannedPackage): string {
  const archive = archives.get(planned.integrity);
  if (archive === undefined) throw new Error(`no archive was fetched for ${planned.location}`);
  return archive;
}

/** Locations are sorted, so a parent is in place before what nests in it: an occupied place is the parent's doing. */
async function renameInto(from: string, destination: string, planned: PlannedPackage): Promise<void> {
  try {
    await rename(from, destination);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    if (code !== "ENOTEMPTY" && code !== "EEXIST" && code !== "ENOTDIR") throw cause;
    throw packError("pack.location-occupied", {
      subject: planned.location,
      expected: `nothing before ${planned.name}@${planned.version} is put there`,
      got: "files from another package's archive",
      cause,
    });
  }
}
