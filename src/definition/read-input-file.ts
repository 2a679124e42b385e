import { constants } from "node:fs";
import { open } from "node:fs/promises";

/**
 * Reads a file that the caller names as input, of which nothing is known yet: a FIFO or device is refused instead of
 * waited for, and one byte more than `limit` is read at most, so that the parser can refuse what is too large.
 * @throws a system error, or an Error that says what else stands there
 */
export async function readInputFile(path: string, limit: number): Promise<Buffer> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new Error(stats.isDirectory() ? "a directory" : "no regular file");
    const parts: Buffer[] = [];
    for (let length = 0; length <= limit; ) {
      const part = Buffer.alloc(Math.min(pieceBytes, limit + 1 - length));
      const { bytesRead } = await handle.read(part, 0, part.length, null);
      if (bytesRead === 0) break;
      parts.push(part.subarray(0, bytesRead));
      length += bytesRead;
    }
    return Buffer.concat(parts);
  } finally {
    await handle.close();
  }
}

const pieceBytes = 256 * 1024;

/** What stood in the way, short: a system error's name, or what stands there instead of a file. */
export function toReadFailure(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  return code ?? message;
}
