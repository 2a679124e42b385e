import { lstatSync, renameSync, rmSync } from "node:fs";
import { StageFailure } from "./stage-failure.ts";

export interface Placement {
  /** The verified tree. */
  readonly pack: string;
  readonly directory: string;
  readonly final: string;
  readonly before: string;
}

const attempts = 5;
const inTheWay = new Set(["ENOTEMPTY", "EEXIST", "ENOTDIR"]);

/**
 * Renames a verified tree to its place. What is there instead is used if it came while we worked and is sound; otherwise it is moved
 * away and removed: an earlier lease's pack is not trusted, however it looks (design 8).
 */
export async function placePack(
  placement: Placement,
  isSound: (root: string) => Promise<boolean>,
): Promise<"placed" | "theirs"> {
  const { pack, directory, final, before } = placement;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (tryRename(pack, final)) return "placed";
    const theirs = lstatSync(final, { bigint: true, throwIfNoEntry: false });
    if (theirs === undefined) continue;
    if (String(theirs.ino) !== before && (await isSound(final))) return "theirs";
    moveAway(final, `${directory}/old-${attempt}`);
  }
  throw new StageFailure("system", `${final}: something else keeps putting itself there`);
}

function tryRename(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (inTheWay.has((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}

/** A directory of an image's layer cannot be renamed on overlayfs: it is removed where it stands. */
function moveAway(path: string, aside: string): void {
  const trash = tryMove(path, aside) ? aside : path;
  rmSync(trash, { recursive: true, force: true });
}

function tryMove(path: string, aside: string): boolean {
  try {
    renameSync(path, aside);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EXDEV" || code === "ENOENT") return false;
    throw error;
  }
}
