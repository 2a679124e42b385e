import { chmod, lstat, mkdir, readdir, rm, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { processToken } from "../process-token.ts";
import { readBoundedFile } from "../read-bounded-file.ts";
import { siblingPath } from "./output-names.ts";

/** Says in a workspace which build of which output made it: without it, the folder is somebody's and stays. */
export const workspaceMarker = ".sealpack-workspace";

const maxMarkerBytes = 16 * 1024;

/** A private folder beside the output, on its file system, gone when `body` ends. */
export async function withWorkspace<T>(out: string, body: (work: string) => Promise<T>): Promise<T> {
  const token = processToken();
  const work = siblingPath(out, "tmp", token);
  await mkdir(work, { mode: 0o700 });
  try {
    await writeFile(join(work, workspaceMarker), toMarker(out, token), { flag: "wx" });
    await chmod(work, 0o700);
    return await body(work);
  } finally {
    await removeWorkspace(work);
  }
}

/** The marker goes last, so that a removal that is killed can be ended by the next build. */
export async function removeWorkspace(work: string): Promise<void> {
  for (const name of await readdir(work).catch(() => [])) {
    if (name !== workspaceMarker) await rm(join(work, name), { recursive: true, force: true });
  }
  await rm(join(work, workspaceMarker), { force: true });
  await rmdir(work).catch(ignoreMissing);
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}

/** Whether a build of `out` made this folder: its marker says so, or it holds nothing but the beginning of one. */
export async function isWorkspace(work: string, out: string, token: string): Promise<boolean> {
  const stats = await lstat(work).catch(() => undefined);
  if (stats === undefined || !stats.isDirectory()) return false;
  const names = await readdir(work).catch(() => [""]);
  if (names.length === 0) return true;
  if (!names.includes(workspaceMarker)) return false;
  const marker = await readBoundedFile(join(work, workspaceMarker), maxMarkerBytes).catch(() => undefined);
  if (marker === undefined) return false;
  const expected = Buffer.from(toMarker(out, token));
  // A kill or a full disk while it was written, before anything else was.
  return (
    marker.equals(expected) || (names.length === 1 && expected.subarray(0, marker.length).equals(marker))
  );
}

function toMarker(out: string, token: string): string {
  return `${token}\n${out}\n`;
}
