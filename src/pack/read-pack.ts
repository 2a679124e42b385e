import { lstat, realpath } from "node:fs/promises";
import { join } from "node:path";
import { parseManifest } from "../manifest/parse-manifest.ts";
import type { Manifest } from "../manifest/types.ts";
import type { Listing } from "../tree/entry.ts";
import { treeLimits } from "../tree/limits.ts";
import { parseListing } from "../tree/parse-listing.ts";
import { packError } from "./errors.ts";
import { findInterrupted } from "./output/swap-output.ts";
import { readBoundedFile } from "./read-bounded-file.ts";

const maxManifestBytes = 1024 * 1024;

/**
 * The directory, or what stands in its way: nothing there, or the remains of a build that was killed in its swap.
 * @throws pack.interrupted-swap, pack.not-found
 */
export async function assertPackThere(dir: string): Promise<string> {
  const stats = await lstat(dir).catch(() => undefined);
  if (stats?.isDirectory()) return dir;
  // The caller named the link; what is read is the directory that it stands for now.
  if (stats?.isSymbolicLink()) return await realpath(dir).catch(() => dir);
  const old = await findInterrupted(dir);
  if (old !== undefined) {
    throw packError("pack.interrupted-swap", {
      subject: dir,
      expected: "a pack",
      got: `nothing, and an interrupted build's old pack at ${old}`,
      remedy: `Run the build again, or put the old pack back: mv '${old}' '${dir}'`,
    });
  }
  const got = stats === undefined ? "nothing" : "a file";
  throw packError("pack.not-found", { subject: dir, expected: "a sealed pack", got });
}

/** A manifest on its own, or the one in a pack directory. */
export async function readManifestFile(path: string): Promise<Manifest> {
  const isDirectory = await lstat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  const file = isDirectory ? join(path, "sealpack.json") : path;
  return parseManifest(await readOrRefuse(file, maxManifestBytes));
}

/** The listing of a sealed pack, as it stands there; whether the tree agrees is what `verify` says. */
export async function readListingFile(dir: string): Promise<Listing> {
  return parseListing(await readOrRefuse(join(dir, "sealpack.tree"), treeLimits.listingBytes));
}

async function readOrRefuse(file: string, maxBytes: number): Promise<Buffer> {
  return await readBoundedFile(file, maxBytes).catch((cause: NodeJS.ErrnoException) => {
    const got = cause.code === "ENOENT" ? "nothing" : (cause.code ?? cause.message);
    throw packError("pack.not-found", {
      subject: file,
      expected: "a readable file of a sealed pack",
      got,
      cause,
    });
  });
}
