import { lstat, mkdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { PlaceDefinition } from "../../definition/pack-definition.ts";
import type { TargetId } from "../../definition/target.ts";
import { toTargetPath } from "../../definition/target-path.ts";
import { ownerOf, type PlacedFile } from "../../tree/digest-components.ts";
import { packError } from "../errors.ts";
import { sha256File } from "../sha256-file.ts";

export interface PlacesRequest {
  readonly root: string;
  readonly target: TargetId;
  readonly places: readonly PlaceDefinition[];
  readonly locations: readonly string[];
}

/**
 * Moves the declared files (design 2: `place` moves, never copies).
 * @throws pack.place-missing, pack.place-occupied, pack.place-replaces-other
 */
export async function applyPlaces(request: PlacesRequest): Promise<PlacedFile[]> {
  const placed: PlacedFile[] = [];
  const toOwner = ownerOf(request.locations);
  for (const place of request.places) {
    const from = toTargetPath(place.from, request.target);
    const to = toTargetPath(place.to, request.target);
    const owner = toOwner(from);
    if (owner === "" || !(await isFile(join(request.root, from)))) {
      throw packError("pack.place-missing", { subject: from, expected: "a file of a package", got: "none" });
    }
    await assertFree(request.root, to, place.replaces);
    await mkdir(dirname(join(request.root, to)), { recursive: true });
    await rename(join(request.root, from), join(request.root, to));
    placed.push({ path: to, from: owner });
  }
  return placed;
}

async function assertFree(root: string, to: string, replaces: string | undefined): Promise<void> {
  const found = await sha256File(join(root, to)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (found === replaces) return;
  if (replaces === undefined) {
    throw packError("pack.place-occupied", {
      subject: to,
      expected: "no file",
      got: `a file with SHA-256 ${found}`,
    });
  }
  const got = found === undefined ? "no file" : `SHA-256 ${found}`;
  throw packError("pack.place-replaces-other", { subject: to, expected: `SHA-256 ${replaces}`, got });
}

async function isFile(path: string): Promise<boolean> {
  return await lstat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
}
