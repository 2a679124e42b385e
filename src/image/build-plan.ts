import { type ArgumentDeclaration, givenFindings, readArguments, toGlobalValues } from "./arguments.ts";
import { type DockerfileText, parseDockerfileText } from "./dockerfile-text.ts";
import { type ImageFinding, sortFindings, toShownText } from "./image-finding.ts";
import { type Instruction, readInstructions } from "./instructions.ts";
import { isPinned, type PinnedReference, parseReference } from "./reference.ts";
import { type Download, type LocalSource, merge, readTaken } from "./sources.ts";
import { readStages, type Stage } from "./stages.ts";

/** Everything that a Dockerfile takes from outside itself. */
export interface BuildPlan {
  readonly frontend?: PinnedReference;
  /** Images of FROM, COPY --from and mounts, in the order of the file. */
  readonly references: readonly PinnedReference[];
  readonly locals: readonly LocalSource[];
  readonly downloads: readonly Download[];
  readonly arguments: readonly ArgumentDeclaration[];
  readonly instructions: readonly Instruction[];
  /** What is not pinned, not readable or not the same to every builder. With any, the rest is incomplete. */
  readonly findings: readonly ImageFinding[];
}

export interface PlanOptions {
  /** How messages call the Dockerfile. */
  readonly file: string;
  readonly platform: string;
  readonly buildArguments: ReadonlyMap<string, string>;
}

/**
 * Reads a Dockerfile, touching no other file: pins and refusals are known before anything is hashed.
 * @throws image.dockerfile-too-large, image.dockerfile-not-utf8
 */
export function parseBuildPlan(
  bytes: Uint8Array,
  { file, platform, buildArguments }: PlanOptions,
): BuildPlan {
  const text = parseDockerfileText(bytes, file);
  const { instructions, findings } = readInstructions(text);
  const declared = readArguments(instructions);
  const globals = toGlobalValues(declared, buildArguments);
  const read = readStages(instructions, { file, platform, globals });
  const taken = merge(
    instructions.map((instruction, position) =>
      readTaken(instruction, read.stages, stageAt(read.stages, position), file),
    ),
  );
  const frontend = readFrontend(text);
  const all = [
    ...findings,
    ...givenFindings(declared, buildArguments, file),
    ...orderFindings(instructions, file),
    ...read.findings,
    ...taken.findings,
    ...frontend.findings,
  ];
  const bases = read.stages.flatMap(({ base }) => (typeof base === "object" && "text" in base ? [base] : []));
  return {
    ...(frontend.reference === undefined ? {} : { frontend: frontend.reference }),
    references: [...bases, ...taken.references],
    locals: taken.locals,
    downloads: taken.downloads,
    arguments: declared,
    instructions,
    findings: sortFindings(all),
  };
}

function stageAt(stages: readonly Stage[], position: number): number {
  return stages.findLast((stage) => stage.position < position)?.index ?? -1;
}

function readFrontend({ file, syntax }: DockerfileText): {
  reference?: PinnedReference;
  findings: ImageFinding[];
} {
  const reference = syntax === undefined ? undefined : parseReference(syntax.value);
  if (isPinned(reference)) return { reference, findings: [] };
  const expected = "# syntax=<image>@sha256:<64 hex> as the first line";
  const got = syntax === undefined ? "no syntax line" : toShownText(syntax.value);
  return { findings: [{ code: "image.frontend-not-pinned", file, line: syntax?.line ?? 1, expected, got }] };
}

/** Only ARG may stand before the first FROM. */
function orderFindings(instructions: readonly Instruction[], file: string): ImageFinding[] {
  const first = instructions.findIndex(({ keyword }) => keyword === "FROM");
  const early = instructions.slice(0, Math.max(first, 0)).filter(({ keyword }) => keyword !== "ARG");
  return early.map(({ line, keyword }) => ({
    code: "image.before-from",
    file,
    line,
    expected: "ARG before the first FROM",
    got: keyword,
  }));
}
