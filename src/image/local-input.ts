/** `f` a file, `x` a file that its owner may execute, `l` a link, `d` a directory in which nothing else is visible. */
export type InputKind = "f" | "x" | "l" | "d";

/** One path of the build context that the build can read. */
export interface LocalInput {
  /** Relative to the context, `/` between names. */
  readonly path: string;
  readonly kind: InputKind;
  /** A link's text. */
  readonly target?: string;
  /** A file's length in bytes when it was listed. */
  readonly size: number;
}
