import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open } from "node:fs/promises";

const chunkBytes = 1024 * 1024;

/** Git's two object formats; an id's length tells them apart. */
export type ObjectFormat = "sha1" | "sha256";

export function toObjectFormat(id: string): ObjectFormat {
  return id.length === 64 ? "sha256" : "sha1";
}

/** The id under which git stores these bytes where no filter changes them. */
export function toBlobId(bytes: Uint8Array, format: ObjectFormat): string {
  return startBlob(bytes.length, format).update(bytes).digest("hex");
}

export interface FileBlob {
  readonly id: string;
  readonly executable: boolean;
}

/** The blob that a regular file's bytes make, never through a link. Memory stays at one chunk. */
export async function readFileBlob(path: string, format: ObjectFormat): Promise<FileBlob> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new Error(`${path} is not a regular file`);
    const hash = startBlob(stats.size, format);
    const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, stats.size + 1));
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) return { id: hash.digest("hex"), executable: (stats.mode & 0o100) !== 0 };
      hash.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}

function startBlob(bytes: number, format: ObjectFormat) {
  return createHash(format).update(`blob ${bytes}\0`);
}
