import { lstat, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { processToken } from "../process-token.ts";
import { assertReplaceable } from "./assert-replaceable.ts";
import { makeParents } from "./make-parents.ts";
import { withOutputLock } from "./output-lock.ts";
import { readSiblings, type Sibling, siblingPath } from "./output-names.ts";
import { isWorkspace, removeWorkspace, withWorkspace } from "./workspace.ts";

/**
 * Puts a sealed tree in the place of `out` (requirement B11): old one aside, new one in, parent fsynced, old one removed.
 * A failure between the two renames puts the old one back; a kill there leaves what `repairOutput` mends.
 * @throws the signal's reason where it is aborted before the first rename; pack.output-locked; as assertReplaceable
 */
export async function swapOutput(sealed: string, out: string, signal?: AbortSignal): Promise<void> {
  const old = siblingPath(out, "old", processToken());
  await withWorkspace(out, async (bin) => {
    const swap = async () => {
      const replaced = await assertReplaceable(out);
      signal?.throwIfAborted();
      if (replaced) await rename(out, old);
      try {
        await rename(sealed, out);
      } catch (error) {
        if (replaced) await rename(old, out);
        throw error;
      }
      await syncDirectory(dirname(out));
      // Whole into a folder that is marked as rubbish: half of an old pack is never put back.
      if (replaced) await rename(old, join(bin, "old"));
    };
    await withOutputLock(out, swap, signal);
  });
}

/**
 * Before a build: mends an interrupted swap, removes what dead builds left, and refuses an output that is somebody's.
 * All of it under the lock: between another build's renames, none of it could be told.
 * @returns true where an old pack was put back
 * @throws pack.output-locked, the signal's reason; as assertReplaceable
 */
export async function repairOutput(out: string, signal?: AbortSignal): Promise<boolean> {
  await makeParents(out);
  const repair = async () => {
    const repaired = await putBack(out);
    for (const sibling of await readSiblings(out)) {
      if (!sibling.alive) await removeSibling(out, sibling);
    }
    await assertReplaceable(out);
    return repaired;
  };
  return await withOutputLock(out, repair, signal);
}

/** The interrupted swap's old pack: sealed, with its output missing. */
export async function findInterrupted(out: string): Promise<string | undefined> {
  if (await exists(out)) return undefined;
  const sealed: Sibling[] = [];
  for (const sibling of await readSiblings(out)) {
    if (sibling.kind !== "old" || !(await isReplaceable(sibling.path))) continue;
    if (await exists(join(sibling.path, "sealpack.json"))) sealed.push(sibling);
  }
  return sealed.at(-1)?.path;
}

async function putBack(out: string): Promise<boolean> {
  const interrupted = await findInterrupted(out);
  if (interrupted === undefined) return false;
  await rename(interrupted, out);
  await syncDirectory(dirname(out));
  return true;
}

/** Removes what a dead build left, and only what is plainly a build's: anything else that bears such a name stays. */
async function removeSibling(out: string, { path, kind, token }: Sibling): Promise<void> {
  if (kind === "tmp") {
    if (await isWorkspace(path, out, token)) await removeWorkspace(path);
  } else if (kind === "old") {
    if (await isReplaceable(path)) await withWorkspace(out, (bin) => rename(path, join(bin, "old")));
  } else if ((await lstat(path)).isSymbolicLink()) await rm(path, { force: true });
}

async function isReplaceable(path: string): Promise<boolean> {
  return await assertReplaceable(path).catch(() => false);
}

export async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, "r");
  await handle.sync().finally(() => handle.close());
}

async function exists(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    () => false,
  );
}
