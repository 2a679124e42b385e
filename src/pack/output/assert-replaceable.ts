import type { Dirent, Stats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { treeLimits } from "../../tree/limits.ts";
import { parseListing } from "../../tree/parse-listing.ts";
import { packError } from "../errors.ts";
import { readBoundedFile } from "../read-bounded-file.ts";

/**
 * Whether `out` may be replaced by a new pack: absent, an empty directory, or a pack that holds nothing but what its
 * own listing names. Anything else belongs to somebody and is left alone (requirement B11).
 * @returns true where something stands at `out`
 * @throws pack.output-is-link, pack.output-not-a-pack, pack.output-on-other-device
 */
export async function assertReplaceable(out: string): Promise<boolean> {
  const stats = await lstat(out).catch(ignoreMissing);
  if (stats === undefined) return false;
  assertPlainDirectory(out, stats);
  const parent = await lstat(dirname(out));
  if (parent.dev !== stats.dev) {
    throw packError("pack.output-on-other-device", {
      subject: out,
      expected: "a directory on its parent's file system",
      got: "a mount point",
    });
  }
  const names = await readdir(out);
  if (names.length > 0) await assertOnlyListed(out);
  return true;
}

function assertPlainDirectory(out: string, stats: Stats): void {
  if (stats.isSymbolicLink()) {
    throw packError("pack.output-is-link", { subject: out, expected: "a directory", got: "a symbolic link" });
  }
  if (!stats.isDirectory()) throw notAPack(out, "a file");
}

async function assertOnlyListed(out: string): Promise<void> {
  const listed = await readListedPaths(out);
  const pending = [out];
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    for (const entry of await readdir(directory, { withFileTypes: true })) {
      const path = join(directory, entry.name);
      if (!isListed(listed, relative(out, path), entry))
        throw notAPack(out, `${relative(out, path)}, which no build made`);
      if (entry.isDirectory()) pending.push(path);
    }
  }
}

function isListed(listed: ReadonlySet<string>, path: string, entry: Dirent): boolean {
  return path === "sealpack.json" || path === "sealpack.tree" ? entry.isFile() : listed.has(path);
}

async function readListedPaths(out: string): Promise<ReadonlySet<string>> {
  try {
    if (!(await lstat(join(out, "sealpack.json"))).isFile()) throw new Error("not a file");
    const listing = parseListing(await readBoundedFile(join(out, "sealpack.tree"), treeLimits.listingBytes));
    return new Set(listing.entries.map((entry) => entry.path));
  } catch (cause) {
    throw notAPack(out, "a directory without a pack's listing and manifest", cause);
  }
}

function notAPack(out: string, got: string, cause?: unknown) {
  return packError("pack.output-not-a-pack", {
    subject: out,
    expected: "a pack, an empty directory or nothing",
    got,
    cause,
  });
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT") return undefined;
  throw error;
}
