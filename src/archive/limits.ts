/** What one archive may cost. Whoever published it controls every number that these bound. */
export interface Limits {
  /** Bytes of the compressed file. */
  readonly compressedBytes: number;
  /** Bytes that come out of decompression, headers and padding included. */
  readonly bytes: number;
  /** Bytes of one file. */
  readonly fileBytes: number;
  /** Headers, extension headers included; and, apart from them, files and directories made. */
  readonly entries: number;
  /** Bytes of one extension header (pax or GNU long name). */
  readonly extensionBytes: number;
  /** Bytes of all extension headers together. */
  readonly extensionTotal: number;
  /** UTF-8 bytes of a path, the stripped first name included. */
  readonly pathBytes: number;
  readonly nameBytes: number;
  /** Names in a path, the stripped first name included. */
  readonly depth: number;
  /** Characters of all paths and of their folders together, which have to be remembered. */
  readonly pathTotal: number;
}

const KiB = 1024;
const MiB = 1024 * KiB;

/** Several times what the largest package of a real agent graph needs. */
export const defaultLimits: Limits = {
  compressedBytes: 1024 * MiB,
  bytes: 4096 * MiB,
  fileBytes: 2048 * MiB,
  entries: 100_000,
  extensionBytes: MiB,
  extensionTotal: 64 * MiB,
  pathBytes: 1024,
  nameBytes: 255,
  depth: 64,
  pathTotal: 32 * MiB,
};
