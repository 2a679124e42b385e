import { mkdir, rename, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fetchAndUnpack } from "../../fetch/fetch-and-unpack.ts";
import type { FetchOptions } from "../../fetch/fetch-tarballs.ts";
import type { Plan, PlannedPackage } from "../../lock/types.ts";
import { packError } from "../errors.ts";

export interface PlaceRequest {
  /** The tree's root, existing and empty. */
  readonly root: string;
  /** A private folder on the same file system. */
  readonly scratch: string;
  readonly plan: Plan;
  readonly fetch: FetchOptions;
}

/**
 * Fetches every package of the plan and unpacks it to its location. Each archive is unpacked alone and renamed into place,
 * so that no archive can write where another package belongs.
 * @throws pack.location-occupied, and what fetching and unpacking throw
 */
export async function placePackages({ root, scratch, plan, fetch }: PlaceRequest): Promise<void> {
  // Plain numbers: a package's name never becomes a path outside its own location.
  const pinned = plan.packages
    .filter((planned) => planned.bundledIn === undefined)
    .map((planned, index) => ({ ...planned, destination: join(scratch, String(index)) }));
  await mkdir(scratch, { mode: 0o700 });
  await fetchAndUnpack(pinned, fetch);
  for (const { destination, ...planned } of pinned) await moveInto(destination, root, planned);
  await rmdir(scratch);
}

/** Locations are sorted, so a parent is in place before what nests in it: an occupied place is the parent's doing. */
async function moveInto(from: string, root: string, planned: PlannedPackage): Promise<void> {
  const destination = join(root, planned.location);
  try {
    await mkdir(dirname(destination), { recursive: true });
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
