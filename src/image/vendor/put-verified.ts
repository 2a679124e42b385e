import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/** Whether bytes are the wanted ones; undefined where they are. */
export type Judge = (digests: { readonly sha256: string; readonly sha512: string }) => Error | undefined;

/**
 * Writes a stream to `path` under a temporary name, hashing it, and renames it only when `judge` finds nothing wrong. Mode 644 or 755,
 * whatever the umask.
 */
export async function putVerified(
  path: string,
  source: AsyncIterable<Uint8Array>,
  judge: Judge,
  mode = 0o644,
): Promise<number> {
  const temporary = `${path}.${process.pid}.tmp`;
  await mkdir(dirname(path), { recursive: true });
  const file = await open(temporary, "wx", mode);
  try {
    const hashes = [createHash("sha256"), createHash("sha512")] as const;
    const bytes = await copy(source, file, hashes);
    const wrong = judge({ sha256: hashes[0].digest("hex"), sha512: hashes[1].digest("base64") });
    if (wrong !== undefined) throw wrong;
    await file.close();
    await chmod(temporary, mode);
    await rename(temporary, path);
    return bytes;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(temporary, { force: true });
    throw error;
  }
}

/** A file's bytes. It is opened when the first are asked for, so that a missing one is the reader's error and nobody else's. */
export async function* readChunks(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path);
}

async function copy(
  source: AsyncIterable<Uint8Array>,
  file: { readonly writeFile: (chunk: Uint8Array) => Promise<void> },
  hashes: readonly Hash[],
): Promise<number> {
  let bytes = 0;
  for await (const chunk of source) {
    for (const hash of hashes) hash.update(chunk);
    await file.writeFile(chunk);
    bytes += chunk.length;
  }
  return bytes;
}
