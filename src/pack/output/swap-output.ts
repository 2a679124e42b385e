import { lstat, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { processToken } from "../process-token.ts";
import { assertReplaceable } from "./assert-replaceable.ts";
import { withOutputLock } from "./output-lock.ts";
import { readSiblings, type Sibling, siblingPath } from "./output-names.ts";

/**
 * Puts a sealed tree in the place of `out` (requirement B11): old one aside, new one in, parent fsynced, old one removed.
 * A failure between the two renames puts the old one back; a kill there leaves what `repairOutput` mends.
 */
export async function swapOutput(sealed: string, out: string): Promise<void> {
  const old = siblingPath(out, "old", processToken());
  await withOutputLock(out, async () => {
    const replaced = await assertReplaceable(out);
    if (replaced) await rename(out, old);
    try {
      await rename(sealed, out);
    } catch (error) {
      if (replaced) await rename(old, out);
      throw error;
    }
    await syncDirectory(dirname(out));
  });
  await rm(old, { recursive: true, force: true });
}

/**
 * Before a build: mends an interrupted swap and removes what dead builds left.
 * @returns true where an old pack was put back
 */
export async function repairOutput(out: string): Promise<boolean> {
  await mkdir(dirname(out), { recursive: true });
  const siblings = await readSiblings(out);
  if (siblings.length === 0) return false;
  return await withOutputLock(out, async () => {
    const repaired = await putBack(out, await readSiblings(out));
    for (const sibling of await readSiblings(out)) {
      if (!sibling.alive) await rm(sibling.path, { recursive: true, force: true });
    }
    return repaired;
  });
}

/** The interrupted swap's old pack: sealed, with its output missing. */
export async function findInterrupted(out: string): Promise<string | undefined> {
  if (await exists(out)) return undefined;
  const sealed: Sibling[] = [];
  for (const sibling of await readSiblings(out)) {
    if (sibling.kind === "old" && (await exists(join(sibling.path, "sealpack.json")))) sealed.push(sibling);
  }
  return sealed.at(-1)?.path;
}

async function putBack(out: string, siblings: readonly Sibling[]): Promise<boolean> {
  if (!siblings.some((sibling) => sibling.kind === "old")) return false;
  const interrupted = await findInterrupted(out);
  if (interrupted === undefined) return false;
  await rename(interrupted, out);
  await syncDirectory(dirname(out));
  return true;
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
