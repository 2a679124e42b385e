import { pipeline } from "node:stream/promises";
import { createGzip, createZstdCompress, constants as zlib } from "node:zlib";

export interface Sent {
  bytes: number;
}

/** Compresses as it reads; counts what comes out; a source that fails, fails the reader. */
export async function* toPacked(
  source: AsyncIterable<Uint8Array>,
  format: "gzip" | "zstd" | "none",
  onSent: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of format === "none" ? source : compress(source, format)) {
    onSent(chunk.length);
    yield chunk;
  }
}

async function* compress(
  source: AsyncIterable<Uint8Array>,
  format: "gzip" | "zstd",
): AsyncGenerator<Uint8Array> {
  const packer =
    format === "gzip"
      ? createGzip({ level: 6, chunkSize: 256 * 1024 })
      : createZstdCompress({ chunkSize: 256 * 1024, params: { [zlib.ZSTD_c_compressionLevel]: 3 } });
  const done = pipeline(source, packer);
  // The reader sees the failure on the stream itself; here it must only not be unhandled.
  done.catch(() => {});
  yield* packer as AsyncIterable<Uint8Array>;
  await done;
}
