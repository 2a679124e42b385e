import { DockerfileParser, type Flag, type Instruction as ParsedInstruction } from "dockerfile-ast";
import type { DockerfileText } from "./dockerfile-text.ts";
import { type ImageFinding, toShownText } from "./image-finding.ts";
import { ambiguityFindings, type LogicalLine, toLogicalLines } from "./logical-lines.ts";

/** One instruction of a Dockerfile. */
export interface Instruction {
  readonly line: number;
  /** Upper case. */
  readonly keyword: string;
  readonly flags: readonly InstructionFlag[];
  /** Everything after the flags. */
  readonly text: string;
}

export interface InstructionFlag {
  readonly name: string;
  /** Undefined for a flag without `=`. */
  readonly value?: string;
}

const keywords = new Set(
  "ADD ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL MAINTAINER ONBUILD RUN SHELL STOPSIGNAL USER VOLUME WORKDIR".split(
    " ",
  ),
);

/**
 * The instructions, read twice: by dockerfile-ast, which is made for editors and forgives, and by the builders' own line rule. A text
 * that the two divide differently is refused (`image.dockerfile-ambiguous`), never guessed.
 */
export function readInstructions(text: DockerfileText): {
  instructions: Instruction[];
  findings: ImageFinding[];
} {
  const logical = toLogicalLines(text);
  const findings = [
    ...text.findings,
    ...ambiguityFindings(text, logical),
    ...keywordFindings(text.file, logical),
  ];
  if (findings.length > 0) return { instructions: logical.map(toInstruction), findings };
  return { instructions: logical.map(toInstruction), findings: disagreementFindings(text, logical) };
}

function keywordFindings(file: string, logical: readonly LogicalLine[]): ImageFinding[] {
  return logical.flatMap(({ line, keyword, rest }): ImageFinding[] => {
    const got = toShownText(`${keyword} ${rest}`);
    if (!keywords.has(keyword))
      return [{ code: "image.instruction-unknown", file, line, expected: "a known instruction", got }];
    if (keyword !== "ONBUILD") return [];
    return [{ code: "image.onbuild", file, line, expected: "no ONBUILD", got }];
  });
}

/** Flags are the leading words that begin with `--`. */
function toInstruction({ line, keyword, rest }: LogicalLine): Instruction {
  const flags: InstructionFlag[] = [];
  let text = rest;
  for (
    let match = /^--([^\s=]+)(?:=(\S*))?(?:\s+|$)/.exec(text);
    match !== null;
    match = /^--([^\s=]+)(?:=(\S*))?(?:\s+|$)/.exec(text)
  ) {
    const [whole, name = "", value] = match;
    flags.push({ name, ...(value === undefined ? {} : { value }) });
    text = text.slice(whole.length);
  }
  return { line, keyword, flags, text };
}

function disagreementFindings(
  { file, lines }: DockerfileText,
  logical: readonly LogicalLine[],
): ImageFinding[] {
  const parsed = DockerfileParser.parse(lines.join("\n")).getInstructions();
  const count = Math.max(parsed.length, logical.length);
  for (let index = 0; index < count; index += 1) {
    const other = parsed[index];
    const own = logical[index];
    if (own !== undefined && other !== undefined && isSame(own, other)) continue;
    const line = own?.line ?? (other as ParsedInstruction).getRange().start.line + 1;
    const got = other === undefined ? "no instruction" : toShownText(other.toString());
    const expected = own === undefined ? "no instruction" : toShownText(`${own.keyword} ${own.rest}`);
    return [{ code: "image.dockerfile-ambiguous", file, line, expected, got }];
  }
  return [];
}

function isSame(own: LogicalLine, other: ParsedInstruction): boolean {
  const start = other.getRange().start.line + 1;
  if (start !== own.line || other.getKeyword() !== own.keyword) return false;
  // What the rest of an instruction says matters where it names an input; on quotes in labels the two need not agree.
  if (!["FROM", "COPY", "ADD", "ARG"].includes(own.keyword)) return true;
  const flags = (other as { getFlags?: () => Flag[] }).getFlags?.() ?? [];
  const words = [...flags, ...other.getArguments()].map(String);
  return withoutBlanks(words.join("")) === withoutBlanks(own.rest);
}

function withoutBlanks(text: string): string {
  return text.replace(/\s+/g, "");
}
