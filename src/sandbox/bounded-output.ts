import { Buffer } from "node:buffer";

const tailBytes = 256;

/** Keeps the first `limit` bytes of a stream and the last few; counts all. The sender controls how much comes. */
export class BoundedOutput {
  readonly #limit: number;
  readonly #kept: Buffer[] = [];
  #keptBytes = 0;
  #tail: Buffer = Buffer.alloc(0);
  total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The chunk with the last bytes before it: what a mark can be found in, however the stream was cut into chunks. */
  push(chunk: Buffer): Buffer {
    this.total += chunk.length;
    const room = this.#limit - this.#keptBytes;
    if (room > 0) {
      // A copy: a slice would keep the whole chunk's memory.
      const part = Buffer.from(chunk.subarray(0, room));
      this.#kept.push(part);
      this.#keptBytes += part.length;
    }
    const window = Buffer.concat([this.#tail, chunk]);
    this.#tail = Buffer.from(window.subarray(-tailBytes));
    return window;
  }

  get truncated(): boolean {
    return this.total > this.#limit;
  }

  bytes(): Buffer {
    return Buffer.concat(this.#kept);
  }
}
