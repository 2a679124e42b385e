import { imageError } from "./errors.ts";
import { toShownText } from "./image-finding.ts";
import { isPatternProblem, parseTokens, type Token } from "./pattern-tokens.ts";

/** One rule of a `.dockerignore`. */
export interface IgnorePattern {
  /** The cleaned pattern without its `!`. */
  readonly text: string;
  /** True for `!pattern`: what it matches is visible again. */
  readonly exception: boolean;
  readonly line: number;
  readonly tokens: readonly Token[];
  /** The number of names in `text`: old clients compare only the parent directory of this depth. */
  readonly depth: number;
}

const maximumBytes = 256 * 1024;
const maximumPatterns = 1000;
const maximumLength = 1024;
const maximumWildcards = 32;

/**
 * Reads a `.dockerignore`: one pattern a line, `#` first for a comment, `!` first for an exception (the rules of the reference
 * builder). Patterns that builders read differently from version to version are refused, not guessed.
 * @throws image.dockerignore-pattern, image.dockerignore-too-large, image.dockerignore-not-utf8
 */
export function parseDockerignore(bytes: Uint8Array): readonly IgnorePattern[] {
  if (bytes.length > maximumBytes) throw tooLarge(`${bytes.length} bytes`);
  const lines = decode(bytes)
    .replace(/^\uFEFF/, "")
    .split("\n");
  const patterns = lines.flatMap((line, index) => toPattern(line.replace(/\r$/, ""), index + 1));
  if (patterns.length > maximumPatterns) throw tooLarge(`${patterns.length} patterns`);
  return patterns;
}

function toPattern(line: string, number: number): IgnorePattern[] {
  const trimmed = trimSpace(line);
  if (line.startsWith("#") || trimmed === "") return [];
  const exception = trimmed.startsWith("!");
  const written = exception ? trimSpace(trimmed.slice(1)) : trimmed;
  if (written === "" || written.startsWith("!")) throw refuse(number, trimmed, "a pattern after one !");
  if (written.length > maximumLength) throw refuse(number, trimmed, `at most ${maximumLength} characters`);
  const text = cleanPath(written);
  const tokens = parseTokens(text);
  if (isPatternProblem(tokens)) throw refuse(number, trimmed, tokens.expected);
  if (tokens.filter(({ kind }) => kind !== "literal").length > maximumWildcards) {
    throw refuse(number, trimmed, `at most ${maximumWildcards} wildcards`);
  }
  return [{ text, exception, line: number, tokens, depth: text.split("/").length }];
}

/** White space as Go's `strings.TrimSpace` has it: with U+0085, without U+FEFF. */
function trimSpace(text: string): string {
  return text.replace(/^(?:[^\S\uFEFF]|\u0085)+|(?:[^\S\uFEFF]|\u0085)+$/g, "");
}

/** Go's `filepath.Clean`, then without a leading slash. */
function cleanPath(text: string): string {
  const rooted = text.startsWith("/");
  const names: string[] = [];
  for (const name of text.split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") names.push(name);
    else if (names.length > 0 && names.at(-1) !== "..") names.pop();
    else if (!rooted) names.push("..");
  }
  return names.length === 0 ? (rooted ? "/" : ".") : names.join("/");
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    const facts = { subject: ".dockerignore", expected: "UTF-8", got: "other bytes", cause };
    throw imageError("image.dockerignore-not-utf8", facts);
  }
}

function refuse(line: number, text: string, expected: string) {
  return imageError("image.dockerignore-pattern", {
    subject: `.dockerignore:${line}`,
    expected,
    got: toShownText(text),
  });
}

function tooLarge(got: string) {
  const expected = `at most ${maximumBytes} bytes and ${maximumPatterns} patterns`;
  return imageError("image.dockerignore-too-large", { subject: ".dockerignore", expected, got });
}
