/** One thing that is wrong with a tree. `code` is an entry of an error table; no two causes share one. */
export interface Finding {
  readonly code: string;
  /** Path below the root ("." for the root itself). Bytes that are not UTF-8, and control characters, are shown as \xHH. */
  readonly path: string;
  readonly expected: string;
  readonly got: string;
}
