/** One rule switched off: `from` stands once in `file`; with `to` in its place every file of `tests` must go red. */
export interface Mutation {
  /** The rule's code, and after a space which part of it where a code has several. */
  readonly rule: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** `test/….test.ts`, or `test/….test.ts > name` for the tests whose names hold that text. */
  readonly tests: readonly string[];
}

/** Rule, snippet, replacement, and a narrower or another test than the group's. */
export type MutationRow = readonly [rule: string, from: string, to: string, test?: string];

/** Mutations of one source file. Paths are below `src/` and `test/`, the test's without `.test.ts`. */
export function mutationsOf(file: string, test: string, rows: readonly MutationRow[]): Mutation[] {
  return rows.map(([rule, from, to, own]) => ({
    rule,
    file: `src/${file}`,
    from,
    to,
    tests: (own ?? test).split(" + ").map(toTest),
  }));
}

function toTest(text: string): string {
  const [path, name] = text.split(" > ");
  return `test/${path}.test.ts${name === undefined ? "" : ` > ${name}`}`;
}
