import { open, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { lockError } from "./errors.ts";

export interface Write {
  readonly file: string;
  readonly bytes: Uint8Array;
}

/**
 * Writes several files or none: all are on disk beside their targets before the first is renamed, and when a rename
 * fails, those already done are put back.
 * @throws lock.write-failed
 */
export async function writeTogether(writes: readonly Write[]): Promise<void> {
  const staged: string[] = [];
  const done: Array<{ file: string; before: Uint8Array | undefined }> = [];
  try {
    for (const write of writes) staged.push(await stage(write));
    for (const [index, { file }] of writes.entries()) {
      const before = await readFile(file).catch(() => undefined);
      await rename(staged[index] as string, file);
      done.push({ file, before });
    }
    await Promise.all([...new Set(writes.map(({ file }) => dirname(file)))].map(syncFolder));
  } catch (cause) {
    for (const { file, before } of done.reverse()) await restore(file, before);
    for (const file of staged) await rm(file, { force: true });
    const got = (cause as NodeJS.ErrnoException).code ?? "an error";
    const subject = writes.map(({ file }) => file).join(" and ");
    throw lockError("lock.write-failed", { subject, expected: "both written", got, cause });
  }
}

async function stage({ file, bytes }: Write): Promise<string> {
  const mode = await stat(file).then(
    (found) => found.mode & 0o777,
    () => 0o644,
  );
  const temporary = join(dirname(file), `.${basename(file)}.${process.pid}.tmp`);
  const handle = await open(temporary, "wx", mode);
  try {
    await handle.chmod(mode);
    await handle.writeFile(bytes);
    await handle.sync();
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  return temporary;
}

async function restore(file: string, before: Uint8Array | undefined): Promise<void> {
  if (before === undefined) return rm(file, { force: true });
  await rename(await stage({ file, bytes: before }), file);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
