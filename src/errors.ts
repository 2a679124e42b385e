/** How a failure ends the process: 1 checked and found wrong, 2 bad input or usage, 3 could not check or do it. */
export type ExitCode = 1 | 2 | 3;

/** What one code means. One code has one cause; docs/errors.md is generated from these. */
export interface ErrorEntry {
  readonly exit: ExitCode;
  readonly meaning: string;
  readonly remedy: string;
}

export type ErrorTable = Readonly<Record<string, ErrorEntry>>;

/** The facts of one failure, in the order in which the message prints them. */
export interface ErrorFacts {
  /** What was looked at: a path, a key, a package. */
  readonly subject: string;
  readonly expected: string;
  readonly got: string;
  /** Replaces the table's remedy where this occurrence has a more exact one. */
  readonly remedy?: string;
  /** Machine-readable facts for `--json`; never a secret. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** Every failure that sealpack foresees. Anything else that is thrown is a defect of sealpack. */
export class SealpackError<Code extends string = string> extends Error {
  override readonly name = "SealpackError";
  readonly code: Code;
  readonly exit: ExitCode;
  readonly remedy: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: Code, entry: ErrorEntry, facts: ErrorFacts) {
    super(
      `${facts.subject}: expected ${facts.expected}, got ${facts.got}`,
      facts.cause === undefined ? undefined : { cause: facts.cause },
    );
    this.code = code;
    this.exit = entry.exit;
    this.remedy = facts.remedy ?? entry.remedy;
    this.details = facts.details ?? {};
  }
}

/** Binds a room's table to a constructor, so that a code outside the table does not compile. */
export function errorsOf<const Table extends ErrorTable>(table: Table) {
  return <Code extends keyof Table & string>(code: Code, facts: ErrorFacts): SealpackError<Code> => {
    const entry: ErrorEntry = table[code] as ErrorEntry;
    return new SealpackError(code, entry, facts);
  };
}

export function isSealpackError(value: unknown): value is SealpackError {
  return value instanceof SealpackError;
}
