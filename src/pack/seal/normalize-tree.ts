import { chmodSync, lstatSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";

/**
 * Gives every entry the one mode and time that a sealed pack has (design 1): 755 or 644, mtime 0, whatever the umask was.
 * A file is 755 where its owner may execute it. Children first: touching them changes their directory's time.
 */
export function normalizeTree(root: string): void {
  for (const entry of readdirSync(root, { withFileTypes: true })) {
    const path = join(root, entry.name);
    if (entry.isDirectory()) normalizeTree(path);
    else if (entry.isFile()) setModeAndTime(path, (lstatSync(path).mode & 0o100) !== 0 ? 0o755 : 0o644);
  }
  setModeAndTime(root, 0o755);
}

export function setModeAndTime(path: string, mode: number): void {
  chmodSync(path, mode);
  utimesSync(path, 0, 0);
}
