import { isScalar } from "yaml";
import type * as z from "zod";
import { toNearKey } from "./near-key.ts";
import { type PackDocument, packSchema } from "./pack-schema.ts";
import { type Problem, toKeyPath, toShown } from "./problem.ts";
import { targetIds } from "./target.ts";
import type { YamlSource } from "./yaml-document.ts";

type Issue = z.core.$ZodIssue;
type Path = readonly (string | number)[];

export type Shaped =
  | { readonly document: PackDocument; readonly problems: readonly [] }
  | { readonly document: undefined; readonly problems: readonly Problem[] };

/** Compares the document's shape with the schema. */
export function shapeDocument(source: YamlSource): Shaped {
  const value: unknown = source.document.toJS({ maxAliasCount: 0 });
  const result = packSchema.safeParse(value);
  if (result.success) return { document: result.data, problems: [] };
  const problems = result.error.issues.flatMap((issue) => toProblems(source, value, issue));
  return { document: undefined, problems: withoutEchoes(problems) };
}

function toProblems(source: YamlSource, root: unknown, issue: Issue): Problem[] {
  const path = issue.path as Path;
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) =>
      isByTarget(path) ? unknownTarget([...path, key]) : unknownKey(path, key),
    );
  }
  const value = valueAt(root, path);
  if (value === undefined) return [missingKey(path)];
  if (issue.code === "invalid_type") return [wrongType(source, path, issue.expected, value)];
  const { expected } = toExpected(issue);
  return [
    { code: "definition.wrong-value", path, expected, got: toShown(value), ...nearTarget(path, value) },
  ];
}

/** A misspelled key is one mistake: that the right one is missing follows from it. */
function withoutEchoes(problems: readonly Problem[]): Problem[] {
  const meant = new Set(
    problems
      .filter(({ code }) => code === "definition.unknown-key")
      .map(({ path }) =>
        toKeyPath([...path.slice(0, -1), toNearKey(String(path.at(-1)), knownKeys(path.slice(0, -1))) ?? ""]),
      ),
  );
  return problems.filter(
    ({ code, path }) => code !== "definition.missing-key" || !meant.has(toKeyPath(path)),
  );
}

function unknownKey(path: Path, key: string): Problem {
  const near = toNearKey(key, knownKeys(path));
  const remedy = near === undefined ? {} : { remedy: `Did you mean \`${near}\`?` };
  const expected = `one of ${knownKeys(path).join(", ")}`;
  return {
    code: "definition.unknown-key",
    path: [...path, key],
    expected,
    got: toShown(key),
    atKey: true,
    ...remedy,
  };
}

function isByTarget(path: Path): boolean {
  return (path.length === 1 && path[0] === "cpu") || (path.length === 3 && path[2] === "executable");
}

/** A key of a map by target: `executable` or `cpu`. */
function unknownTarget(path: Path): Problem {
  const key = path.at(-1);
  const expected = `one of ${targetIds.join(", ")}`;
  return {
    code: "definition.unknown-key",
    path,
    expected,
    got: toShown(key),
    atKey: true,
    ...nearTarget(path, key),
  };
}

function nearTarget(path: Path, value: unknown): { remedy?: string } {
  const aboutTarget = path[0] === "targets" || path[0] === "cpu" || path.includes("executable");
  const near = aboutTarget && typeof value === "string" ? toNearKey(value, targetIds) : undefined;
  return near === undefined ? {} : { remedy: `Did you mean \`${near}\`?` };
}

function missingKey(path: Path): Problem {
  const key = toKeyPath(path);
  return { code: "definition.missing-key", path, expected: `the key ${key}`, got: "nothing" };
}

/** `version: 24.21` is a number for YAML, so the error shows how to write what was meant. */
function wrongType(source: YamlSource, path: Path, expected: string, value: unknown): Problem {
  const node = source.document.getIn(path, true);
  const written = isScalar(node) ? node.source : undefined;
  if (expected === "string" && written !== undefined && value !== null) {
    const remedy = `Put the value in quotes: ${toKeyPath(path.slice(-1))}: "${written}".`;
    const got = `the ${typeof value} ${written}`;
    return { code: "definition.number-for-string", path, expected: "a string", got, remedy };
  }
  const wanted = names[expected] ?? expected;
  return { code: "definition.wrong-type", path, expected: wanted, got: toShown(value) };
}

const names: Readonly<Record<string, string>> = {
  string: "a string",
  object: "a map",
  record: "a map",
  array: "a list",
  boolean: "true or false",
};

function toExpected(issue: Issue): { expected: string } {
  if (issue.code === "invalid_value") return { expected: issue.values.map(String).join(" or ") };
  if (issue.code === "too_small") return { expected: `at least ${issue.minimum} of length` };
  if (issue.code === "too_big") return { expected: `at most ${issue.maximum} of length` };
  return { expected: issue.message };
}

/** The keys that the schema knows at a path, by walking it as the document is walked. */
function knownKeys(path: Path): string[] {
  let schema: unknown = packSchema;
  for (const part of path) schema = childSchema(unwrap(schema), part);
  const { shape } = unwrap(schema) as { shape?: object };
  return Object.keys(shape ?? {});
}

interface SchemaParts {
  readonly shape?: Readonly<Record<string, unknown>>;
  readonly element?: unknown;
  readonly valueType?: unknown;
}

function childSchema(schema: unknown, part: string | number): unknown {
  const { shape, element, valueType } = schema as SchemaParts;
  return shape?.[part] ?? element ?? valueType;
}

function unwrap(schema: unknown): unknown {
  const optional = schema as { unwrap?: () => unknown; element?: unknown };
  return typeof optional?.unwrap === "function" && optional.element === undefined
    ? unwrap(optional.unwrap())
    : schema;
}

function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const part of path) value = (value as Record<string | number, unknown> | null | undefined)?.[part];
  return value;
}
