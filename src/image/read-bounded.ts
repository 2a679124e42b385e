import { readFileSync, statSync } from "node:fs";
import { imageError } from "./errors.ts";

const maximumBytes = 16 * 1024 * 1024;

/**
 * Reads a small file whole. A FIFO, a device or a huge file must neither hang nor fill the memory.
 * @throws image.file-unreadable
 */
export function readBounded(path: string): Uint8Array {
  try {
    const stats = statSync(path);
    if (!stats.isFile() || stats.size > maximumBytes)
      throw new Error(stats.isFile() ? `${stats.size} bytes` : "no file");
    return readFileSync(path);
  } catch (cause) {
    const got = (cause as NodeJS.ErrnoException).code ?? (cause as Error).message;
    throw imageError("image.file-unreadable", {
      subject: path,
      expected: `a file of at most ${maximumBytes} bytes`,
      got,
      cause,
    });
  }
}
