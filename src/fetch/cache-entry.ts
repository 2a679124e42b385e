import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fetchError } from "./errors.ts";

/** No download lives this long (see the download's own deadline), so an older temporary file belongs to nobody. */
const deadAfterMs = 2 * 60 * 60 * 1000;

/** Entries are complete or absent, so a regular file is a hit; its digest is checked when it is unpacked. */
export async function isCached(path: string): Promise<boolean> {
  return lstat(path).then(
    (stat) => stat.isFile(),
    () => false,
  );
}

export async function discardCached(path: string): Promise<void> {
  await rm(path, { force: true, recursive: true });
}

/**
 * Makes an entry from what `fill` writes: in a temporary file beside it, synced, then renamed. When `fill` throws,
 * nothing stays.
 * @throws fetch.cache-unusable, and whatever `fill` throws
 */
export async function writeCached(path: string, fill: (file: FileHandle) => Promise<void>): Promise<void> {
  const temporary = `${path}.${process.pid}.${randomBytes(6).toString("hex")}.tmp`;
  const file = await attempt(path, async () => {
    await mkdir(dirname(path), { recursive: true });
    await removeDead(dirname(path));
    return open(
      temporary,
      constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW | constants.O_WRONLY,
      0o644,
    );
  });
  try {
    await fill(file);
    await attempt(path, () => file.sync());
    await file.close();
    await attempt(path, () => rename(temporary, path));
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(temporary, { force: true });
    throw error;
  }
}

async function removeDead(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!name.endsWith(".tmp")) continue;
    const path = join(directory, name);
    const stat = await lstat(path).catch(() => undefined);
    if (stat && Date.now() - stat.mtimeMs > deadAfterMs) await rm(path, { force: true });
  }
}

/** @throws fetch.cache-unusable */
export async function attempt<Result>(path: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (cause) {
    const got = (cause as NodeJS.ErrnoException).code ?? "an error";
    throw fetchError("fetch.cache-unusable", {
      subject: dirname(path),
      expected: `to write ${basename(path).slice(0, 12)}…`,
      got,
      cause,
    });
  }
}
