/** One step of a pattern. `deep` is a double star before a name: any number of whole directories, also none. `rest` ends a pattern. */
export type Token =
  | { readonly kind: "literal"; readonly char: string }
  | { readonly kind: "one" }
  | { readonly kind: "star" }
  | { readonly kind: "deep" }
  | { readonly kind: "rest" }
  | ClassToken;

export interface ClassToken {
  readonly kind: "class";
  readonly negated: boolean;
  readonly ranges: readonly (readonly [number, number])[];
}

/** What a pattern would have to be, where it is not one that all builders read alike. */
export interface PatternProblem {
  readonly expected: string;
}

/** Reads a cleaned pattern. The classes and escapes that Go's two matchers take differently are problems. */
export function parseTokens(text: string): readonly Token[] | PatternProblem {
  const chars = [...text];
  const tokens: Token[] = [];
  for (let index = 0; index < chars.length; ) {
    const read = readToken(chars, index);
    if ("expected" in read) return read;
    tokens.push(read.token);
    index = read.end;
  }
  return tokens;
}

export function isPatternProblem(value: readonly Token[] | PatternProblem): value is PatternProblem {
  return !Array.isArray(value);
}

type Read = { token: Token; end: number } | PatternProblem;

function readToken(chars: readonly string[], index: number): Read {
  const char = chars[index] as string;
  if (char === "*")
    return chars[index + 1] === "*"
      ? readDoubleStar(chars, index)
      : { token: { kind: "star" }, end: index + 1 };
  if (char === "?") return { token: { kind: "one" }, end: index + 1 };
  if (char === "\\") return readEscape(chars[index + 1], index);
  if (char === "[") return readClass(chars, index);
  if (char === "^" || char === "]") return { expected: "no ^ or ] outside a class" };
  return { token: { kind: "literal", char }, end: index + 1 };
}

function readDoubleStar(chars: readonly string[], index: number): Read {
  const slash = chars[index + 2] === "/";
  const end = index + (slash ? 3 : 2);
  if (end >= chars.length) return { token: { kind: "rest" }, end };
  if (index === 0 && !slash) return { expected: "a / after a leading **" };
  if (!slash && chars[end] === "*") return { expected: "no third star" };
  return { token: { kind: "deep" }, end };
}

function readEscape(char: string | undefined, index: number): Read {
  if (char === undefined || /[A-Za-z0-9/]|[^\x20-\x7e]/.test(char))
    return { expected: "a punctuation mark after \\" };
  return { token: { kind: "literal", char }, end: index + 2 };
}

function readClass(chars: readonly string[], index: number): Read {
  const close = chars.indexOf("]", index);
  const body = chars.slice(index + 1, Math.max(close, index + 1)).join("");
  const ranges = [...body.replace(/^\^/, "").matchAll(/(.)(?:-(.))?/g)].map(toRange);
  const plain =
    /^\^?(?:[A-Za-z0-9_. ](?:-[A-Za-z0-9])?)+$/.test(body) && ranges.every(([from, to]) => from <= to);
  if (!plain) return { expected: "a class of letters, digits, _, . and ascending ranges" };
  return { token: { kind: "class", negated: body.startsWith("^"), ranges }, end: close + 1 };
}

function toRange(match: RegExpMatchArray): readonly [number, number] {
  const from = (match[1] as string).charCodeAt(0);
  return [from, match[2]?.charCodeAt(0) ?? from];
}
