/** What the controller tells the program that stages; base64 of JSON on the command line. */
export type StageArguments = CompareArguments | ReceiveArguments;

interface Common {
  /** `<root>/.staging-…`; the tree is made in `pack` below it. */
  readonly directory: string;
  /** SHA-256 of the expected listing. */
  readonly treeDigest: string;
}

export interface CompareArguments extends Common {
  readonly task: "compare";
  /** Directories that may hold files of the pack. */
  readonly sources: readonly string[];
}

export interface ReceiveArguments extends Common {
  readonly task: "receive";
  readonly manifestSha256: string;
  readonly manifestBytes: number;
  /** Base64 of one bit for each entry of the listing, the lowest first: set for a file that is on its way. */
  readonly missing: string;
  readonly final: string;
  /** Inode of what stood at `final` when the decision was made; "" for nothing. */
  readonly before: string;
}

/** What it answers: one of these as JSON. */
export type StageAnswer =
  | { readonly kind: "compared"; readonly missing: string; readonly kept: number }
  | { readonly kind: "placed" | "theirs" }
  | { readonly kind: "unsound"; readonly report: string }
  | { readonly kind: "failed"; readonly code: string; readonly message: string };
