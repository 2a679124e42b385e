import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Arborist from "@npmcli/arborist";
import type { NpmOptions } from "../fetch/npm-options.ts";
import { lockError } from "./errors.ts";
import { toResolutionOptions } from "./resolution-options.ts";
import { toSha256 } from "./verify-lock-digest.ts";

export interface Resolution {
  readonly packageJson: Uint8Array;
  readonly npm: NpmOptions;
  /** Version of the pack's Node. */
  readonly interpreter?: string;
}

/**
 * Makes a lock from package.json alone, twice, each time from nothing: no lock, no node_modules, an empty cache. No
 * script runs and no tarball is unpacked.
 * @throws lock.resolution-failed, lock.resolution-unstable
 */
export async function resolveLock(resolution: Resolution): Promise<Uint8Array> {
  const first = await resolveOnce(resolution);
  const second = await resolveOnce(resolution);
  if (Buffer.compare(first, second) === 0) return first;
  throw lockError("lock.resolution-unstable", {
    subject: "package-lock.json",
    expected: `SHA-256 ${toSha256(first)} from the second resolution too`,
    got: toSha256(second),
  });
}

async function resolveOnce({ packageJson, npm, interpreter }: Resolution): Promise<Uint8Array> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "sealpack-resolve-")));
  // npm takes a nameless package's name from its folder.
  const path = join(folder, "pack");
  try {
    await mkdir(path);
    await writeFile(join(path, "package.json"), packageJson);
    const options = toResolutionOptions(npm, interpreter, { path, cache: join(folder, "cache") });
    const tree = await new Arborist(options).buildIdealTree();
    return Buffer.from(String(tree.meta));
  } catch (cause) {
    throw toResolutionError(cause);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function toResolutionError(cause: unknown) {
  const { code, message } = cause as NodeJS.ErrnoException;
  const text = (message.split("\n")[0] ?? "").replace(/\/\/[^/@\s]*@/g, "//").slice(0, 300);
  return lockError("lock.resolution-failed", {
    subject: "package.json",
    expected: "versions that the registry has",
    got: code === undefined ? text : `${code}: ${text}`,
  });
}
