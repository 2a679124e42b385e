import { imageError } from "./errors.ts";
import { type ImageFinding, toShownText } from "./image-finding.ts";

/** A Dockerfile's text, one `\n` a line, with its directives. */
export interface DockerfileText {
  readonly file: string;
  readonly lines: readonly string[];
  readonly escapeCharacter: "\\" | "`";
  /** The `# syntax=` directive. */
  readonly syntax?: { readonly value: string; readonly line: number };
  readonly findings: readonly ImageFinding[];
}

const maximumBytes = 256 * 1024;
/** Beyond these no real Dockerfile goes, and readers made for editors become slow. */
const maximumLines = 10_000;
const maximumLine = 16 * 1024;
const directive = /^#[ \t]*([A-Za-z][A-Za-z0-9]*)[ \t]*=[ \t]*(\S.*)$/;
const known = ["syntax", "escape", "check"];

/**
 * Reads the bytes as both builders do, up to where instructions begin. What they read differently is a finding.
 * @throws image.dockerfile-too-large, image.dockerfile-not-utf8
 */
export function parseDockerfileText(bytes: Uint8Array, file: string): DockerfileText {
  const text = decode(bytes, file);
  const lines = text.replace(/\r\n/g, "\n").split("\n");
  assertLines(lines, file);
  const { values, end } = readDirectives(lines);
  const escapeCharacter = values.find(({ key }) => key === "escape")?.value === "`" ? "`" : "\\";
  const syntax = values.find(({ key }) => key === "syntax");
  const findings = [
    ...firstLineFindings(lines[0] ?? "", file),
    ...controlFindings(lines, file),
    ...directiveFindings(values, file),
    ...lateFindings(lines, end, file),
  ];
  return { file, lines, escapeCharacter, findings, ...(syntax === undefined ? {} : { syntax }) };
}

interface Directive {
  readonly key: string;
  readonly value: string;
  readonly line: number;
}

/** Directives are the first lines, until one is not of their form. */
function readDirectives(lines: readonly string[]): { values: Directive[]; end: number } {
  const values: Directive[] = [];
  for (const [index, line] of lines.entries()) {
    const match = directive.exec(line);
    const key = match?.[1]?.toLowerCase() ?? "";
    if (!known.includes(key)) return { values, end: index };
    values.push({ key, value: trimBlanks(match?.[2] ?? ""), line: index + 1 });
  }
  return { values, end: lines.length };
}

function directiveFindings(values: readonly Directive[], file: string): ImageFinding[] {
  return values.flatMap(({ key, value, line }, index): ImageFinding[] => {
    const first = values.findIndex((other) => other.key === key) === index;
    if (!first) {
      return [
        {
          code: "image.directive-twice",
          file,
          line,
          expected: `one ${key} directive`,
          got: toShownText(value),
        },
      ];
    }
    if (key !== "escape" || value === "\\" || value === "`") return [];
    return [{ code: "image.escape-unknown", file, line, expected: "\\ or `", got: toShownText(value) }];
  });
}

/** A directive behind a comment, a blank line or an unknown directive is only a comment: its author believes otherwise. */
function lateFindings(lines: readonly string[], end: number, file: string): ImageFinding[] {
  const found: ImageFinding[] = [];
  for (let index = end; index < lines.length; index += 1) {
    const line = (lines[index] as string).trim();
    if (line !== "" && !line.startsWith("#")) break;
    const key = directive.exec(line)?.[1]?.toLowerCase() ?? "";
    if (!known.includes(key)) continue;
    const expected = `the ${key} directive among the first lines`;
    found.push({ code: "image.directive-late", file, line: index + 1, expected, got: toShownText(line) });
  }
  return found;
}

/** Frontends also look for their name in these (`#!`, `//`, JSON), which no other reader of Dockerfiles does. */
function firstLineFindings(line: string, file: string): ImageFinding[] {
  if (line.startsWith("\uFEFF")) {
    return [{ code: "image.dockerfile-bom", file, line: 1, expected: "no byte order mark", got: "U+FEFF" }];
  }
  if (!/^\s*(#!|\/\/|\{)/.test(line)) return [];
  const expected = "a directive, a comment or an instruction";
  return [{ code: "image.dockerfile-first-line", file, line: 1, expected, got: toShownText(line) }];
}

function controlFindings(lines: readonly string[], file: string): ImageFinding[] {
  return lines.flatMap((line, index) => {
    const control = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]|(?<!^)\uFEFF/.exec(line)?.[0];
    if (control === undefined) return [];
    const got = `U+${control.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
    return [
      { code: "image.dockerfile-control", file, line: index + 1, expected: "no control character", got },
    ];
  });
}

/** Without the blanks and tabs at the end: a loop, because a regular expression is quadratic in a run that does not end the text. */
export function trimBlanks(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === " " || text[end - 1] === "\t")) end -= 1;
  return text.slice(0, end);
}

function assertLines(lines: readonly string[], file: string): void {
  const long = lines.findIndex((line) => line.length > maximumLine);
  if (lines.length <= maximumLines && long < 0) return;
  const expected = `at most ${maximumLines} lines of ${maximumLine} characters`;
  const got = long < 0 ? `${lines.length} lines` : `${lines[long]?.length} characters in line ${long + 1}`;
  throw imageError("image.dockerfile-too-large", { subject: file, expected, got });
}

function decode(bytes: Uint8Array, file: string): string {
  if (bytes.length > maximumBytes) {
    const expected = `at most ${maximumBytes} bytes`;
    throw imageError("image.dockerfile-too-large", { subject: file, expected, got: `${bytes.length}` });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw imageError("image.dockerfile-not-utf8", {
      subject: file,
      expected: "UTF-8",
      got: "other bytes",
      cause,
    });
  }
}
