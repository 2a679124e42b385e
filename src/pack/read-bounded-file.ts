import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** Reads a whole regular file, never through a link, and no more than `maxBytes`; whoever made the file chose its size. */
export async function readBoundedFile(path: string, maxBytes: number): Promise<Buffer> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new Error(`${path} is not a regular file`);
    if (stats.size > maxBytes) throw new Error(`${path} has ${stats.size} bytes, more than ${maxBytes}`);
    const buffer = Buffer.alloc(stats.size);
    const { bytesRead } = await handle.read(buffer, 0, stats.size, 0);
    if (bytesRead !== stats.size) throw new Error(`${path} changed while it was read`);
    return buffer;
  } finally {
    await handle.close();
  }
}
