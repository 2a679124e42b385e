import type { ImageCode } from "./errors.ts";
import { expandVariables, type Values } from "./expand.ts";
import { type ImageFinding, toShownText } from "./image-finding.ts";
import type { Instruction } from "./instructions.ts";
import { isPinned, type PinnedReference, parseReference } from "./reference.ts";

/** One FROM. */
export interface Stage {
  readonly index: number;
  readonly line: number;
  /** Lower case: builders compare stage names without case. */
  readonly name?: string;
  /** The instruction's position in the list it was read from. */
  readonly position: number;
  /** What it starts from: an image, an earlier stage, or nothing. */
  readonly base: PinnedReference | { readonly stage: number } | "scratch" | undefined;
}

export interface StageContext {
  readonly file: string;
  readonly platform: string;
  readonly globals: Values;
}

/** The stages, each with what its FROM resolves to; what does not resolve is a finding and no base. */
export function readStages(instructions: readonly Instruction[], context: StageContext) {
  const stages: Stage[] = [];
  const findings: ImageFinding[] = [];
  for (const [position, instruction] of instructions.entries()) {
    if (instruction.keyword !== "FROM") continue;
    const read = readStage(instruction, stages, context);
    stages.push({ ...read.stage, index: stages.length, position });
    findings.push(...read.findings);
  }
  if (stages.length === 0) {
    const expected = "at least one FROM";
    findings.push({ code: "image.no-stage", file: context.file, line: 0, expected, got: "none" });
  }
  return { stages, findings };
}

type ReadStage = { stage: Omit<Stage, "index" | "position">; findings: ImageFinding[] };

function readStage(instruction: Instruction, earlier: readonly Stage[], context: StageContext): ReadStage {
  const { line } = instruction;
  const find = finder(context.file, line);
  const match = /^(\S+)(?:\s+[Aa][Ss]\s+(\S+))?$/.exec(instruction.text);
  if (match === null)
    return {
      stage: { line, base: undefined },
      findings: find("image.from-form", "FROM <image> [AS <name>]", instruction.text),
    };
  const name = match[2]?.toLowerCase();
  const findings = [...platformFindings(instruction, context), ...nameFindings(name, earlier, find)];
  const resolved = resolveBase(match[1] as string, earlier, context, find);
  const stage = { line, base: resolved.base, ...(name === undefined ? {} : { name }) };
  return { stage, findings: [...findings, ...resolved.findings] };
}

type Find = (code: ImageCode, expected: string, got: string) => ImageFinding[];

function finder(file: string, line: number): Find {
  return (code, expected, got) => [{ code, file, line, expected, got: toShownText(got) }];
}

function platformFindings({ flags, line }: Instruction, { file, platform }: StageContext): ImageFinding[] {
  const find = finder(file, line);
  return flags.flatMap((flag, index) => {
    if (flag.name !== "platform" || index > 0)
      return find("image.flag-unknown", "--platform at most", `--${flag.name}`);
    if (flag.value === platform) return [];
    return find("image.platform-differs", platform, flag.value ?? "no value");
  });
}

function nameFindings(name: string | undefined, earlier: readonly Stage[], find: Find): ImageFinding[] {
  if (name === undefined) return [];
  if (!/^[a-z][a-z0-9_.-]*$/.test(name))
    return find("image.stage-name", "a letter, then letters, digits, _ . -", name);
  if (name === "scratch" || earlier.some((stage) => stage.name === name)) {
    return find("image.stage-name", "a name that no other stage has", name);
  }
  return [];
}

function resolveBase(text: string, earlier: readonly Stage[], context: StageContext, find: Find) {
  const expanded = expandVariables(text, context.globals);
  if (expanded.value === undefined) return { base: undefined, findings: variableFinding(expanded, find) };
  const stage = earlier.findLast(({ name }) => name !== undefined && name === expanded.value.toLowerCase());
  if (stage !== undefined) return { base: { stage: stage.index }, findings: [] };
  if (expanded.value === "scratch") return { base: "scratch" as const, findings: [] };
  return resolvePinned(expanded.value, "image.base-not-pinned", find);
}

/** An image from outside: by sha256, or a finding. */
export function resolvePinned(
  text: string,
  code: ImageCode,
  find: Find,
): { base: PinnedReference | undefined; findings: ImageFinding[] } {
  const reference = parseReference(text);
  if (isPinned(reference)) return { base: reference, findings: [] };
  return {
    base: undefined,
    findings: find(code, "an image by @sha256:<64 hex>", text === "" ? "nothing" : text),
  };
}

function variableFinding(
  expanded: { problem: "unknown" | "form"; what: string },
  find: Find,
): ImageFinding[] {
  if (expanded.problem === "unknown")
    return find("image.variable-unknown", "an ARG before the first FROM", expanded.what);
  return find("image.variable-form", "a plain variable, or one with :- or :+, without quotes", expanded.what);
}
