/** `d` a directory, `f` a file without execute bits, `x` a file with all three (design: listing, version 1). */
export type EntryType = "d" | "f" | "x";

/** One line of a listing: what a sealed pack must hold at `path`. */
export interface Entry {
  readonly type: EntryType;
  /** Bytes of a file; 0 for a directory, printed as `-`. */
  readonly size: number;
  /** SHA-256 of a file's bytes, 64 lowercase hex; "" for a directory, printed as `-`. */
  readonly digest: string;
  /** Relative to the root, `/` between names, valid UTF-8 without control characters or backslash. */
  readonly path: string;
}

/** A parsed listing. `entries` are in the order of the bytes of their paths. */
export interface Listing {
  readonly entries: readonly Entry[];
  /** SHA-256 of the listing's bytes, 64 lowercase hex: the tree digest. */
  readonly digest: string;
  /** Sum of the files' sizes. */
  readonly bytes: number;
}
