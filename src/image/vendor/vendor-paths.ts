import { join } from "node:path";

/** Where things stand in a vendored folder. The Dockerfile and its build script know these names. */
export const vendorNames = {
  /** Says that the folder is ours to fill and to empty. */
  mark: ".sealpack-vendor",
  /** npm archives, as the cache has them: `cache/sha512/<2>/<126>`. */
  cache: "cache",
  /** Fleet archives, by SHA-256. */
  archives: "archives",
  /** The pinned interpreter, which runs the tool in the build. */
  node: "node",
  /** The tool as one file. */
  tool: "sealpack.mjs",
  /** The runner's daemon as one file (requirement D6). */
  runnerd: "paperclip-runnerd",
  /** The lock that was fetched by, the pack's own or the given one (requirement D5). */
  lock: "package-lock.json",
} as const;

export function toArchivePath(vendor: string, sha256: string): string {
  return join(vendor, vendorNames.archives, sha256);
}
