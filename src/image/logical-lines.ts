import { type DockerfileText, trimBlanks } from "./dockerfile-text.ts";
import { type ImageFinding, toShownText } from "./image-finding.ts";

/** One instruction before its arguments are read. */
export interface LogicalLine {
  /** Counts from 1. */
  readonly line: number;
  /** Upper case. */
  readonly keyword: string;
  /** Everything after the keyword, continuations joined, comments between them dropped. */
  readonly rest: string;
}

/** Joins continued lines by the builders' rule: a comment or an empty line between them does not end an instruction. */
export function toLogicalLines({ lines, escapeCharacter }: DockerfileText): readonly LogicalLine[] {
  const found: LogicalLine[] = [];
  let open: { line: number; text: string } | undefined;
  for (const [index, raw] of lines.entries()) {
    if (/^\s*(#|$)/.test(raw)) continue;
    const { text, continues } = cutContinuation(open === undefined ? raw.trimStart() : raw, escapeCharacter);
    open = { line: open?.line ?? index + 1, text: (open?.text ?? "") + text };
    if (continues) continue;
    if (open.text.trim() !== "") found.push(toLogicalLine(open.line, open.text));
    open = undefined;
  }
  if (open !== undefined && open.text.trim() !== "") found.push(toLogicalLine(open.line, open.text));
  return found;
}

/** Constructs that one builder or version reads as another instruction sequence than the next. */
export function ambiguityFindings(text: DockerfileText, logical: readonly LogicalLine[]): ImageFinding[] {
  const { file, escapeCharacter } = text;
  const doubled = text.lines.flatMap((line, index): ImageFinding[] => {
    if (/^\s*#/.test(line) || !line.trimEnd().endsWith(escapeCharacter + escapeCharacter)) return [];
    const expected = `one ${escapeCharacter} at the end of a continued line`;
    return [{ code: "image.escape-doubled", file, line: index + 1, expected, got: toShownText(line) }];
  });
  const heredocs = logical.flatMap(({ line, keyword, rest }): ImageFinding[] => {
    if (!["RUN", "COPY", "ADD", "ONBUILD"].includes(keyword) || !/(?:^|\s)\d*<<-?[^<\s]/.test(rest))
      return [];
    return [{ code: "image.heredoc", file, line, expected: "no here-document", got: toShownText(rest) }];
  });
  return [...doubled, ...heredocs];
}

function cutContinuation(line: string, escapeCharacter: string): { text: string; continues: boolean } {
  const trimmed = trimBlanks(line);
  return trimmed.endsWith(escapeCharacter)
    ? { text: trimmed.slice(0, -1), continues: true }
    : { text: line, continues: false };
}

function toLogicalLine(line: number, text: string): LogicalLine {
  const trimmed = text.trim();
  const keyword = /^\S+/.exec(trimmed)?.[0] ?? "";
  return { line, keyword: keyword.toUpperCase(), rest: trimmed.slice(keyword.length).trim() };
}
