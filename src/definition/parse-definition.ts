import { crossRules } from "./cross-rules.ts";
import { definitionError, definitionErrors } from "./errors.ts";
import type { PackDefinition } from "./pack-definition.ts";
import type { PackDocument } from "./pack-schema.ts";
import { type LocatedProblem, toKeyPath } from "./problem.ts";
import { shapeDocument } from "./schema-problems.ts";
import { toDefinition } from "./to-definition.ts";
import { toValueProblems } from "./value-problems.ts";
import { locate, parseYaml, type YamlSource } from "./yaml-document.ts";

/**
 * Reads a `pack.yaml`: YAML first, then its shape, then the rules on values and between keys. All problems of the
 * first stage that has any are reported at once, in `details.problems`, each with line and column; the error's code,
 * subject and remedy are the first one's, in the order of the file.
 *
 * @param file how messages call the file
 * @throws a `definition.*` code
 */
export function parseDefinition(bytes: Uint8Array, file: string): PackDefinition {
  const source = parseYaml(bytes, file);
  assertSound(source.problems);
  const { document, problems } = shapeDocument(source);
  if (document === undefined) return fail(problems.map((problem) => locate(source, problem)));
  assertSound(toRuleProblems(source, document));
  return toDefinition(document);
}

function toRuleProblems(source: YamlSource, document: PackDocument): LocatedProblem[] {
  const problems = [...toValueProblems(document), ...crossRules.flatMap((rule) => rule(document))];
  return problems.map((problem) => locate(source, problem));
}

function assertSound(problems: readonly LocatedProblem[]): void {
  if (problems.length > 0) fail(problems);
}

/** Messages beyond this many help nobody and come from input that may be anybody's. */
const maximumProblems = 100;

function fail(problems: readonly LocatedProblem[]): never {
  const sorted = [...problems].sort((a, b) => a.line - b.line || a.column - b.column);
  const first = sorted[0] as LocatedProblem;
  const remedy = first.remedy ?? definitionErrors[first.code].remedy;
  const more = sorted.length > 1 ? ` (The first of ${sorted.length} problems.)` : "";
  throw definitionError(first.code, {
    subject: toSubject(first),
    expected: first.expected,
    got: first.got,
    remedy: `${remedy}${more}`,
    details: { problems: sorted.slice(0, maximumProblems).map(toReported) },
  });
}

function toSubject({ file, line, column, path }: LocatedProblem): string {
  const key = toKeyPath(path);
  return key === "" ? `${file}:${line}:${column}` : `${file}:${line}:${column}: ${key}`;
}

function toReported(problem: LocatedProblem) {
  const { code, file, line, column, expected, got } = problem;
  const message = `${toSubject(problem)}: expected ${expected}, got ${got}`;
  const remedy = problem.remedy ?? definitionErrors[code].remedy;
  return { code, file, line, column, key: toKeyPath(problem.path), expected, got, message, remedy };
}
