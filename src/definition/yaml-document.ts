import {
  type Document,
  isAlias,
  isNode,
  isPair,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
  type YAMLError,
} from "yaml";
import { definitionError } from "./errors.ts";
import type { LocatedProblem, Problem } from "./problem.ts";

/** A YAML text with the positions of its nodes. */
export interface YamlSource {
  readonly file: string;
  readonly text: string;
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
  /** What is wrong with the YAML itself. */
  readonly problems: readonly LocatedProblem[];
}

/** Bytes of a definition; the author writes it by hand, and anyone may send one. */
export const maximumBytes = 256 * 1024;
const maximumDepth = 16;

/**
 * Reads one YAML 1.2 document, core schema. Aliases, anchors and tags are problems, as are two equal keys.
 * @throws definition.too-large, definition.not-utf8, definition.too-deep
 */
export function parseYaml(bytes: Uint8Array, file: string): YamlSource {
  if (bytes.length > maximumBytes) {
    throw definitionError("definition.too-large", {
      subject: file,
      expected: `at most ${maximumBytes} bytes`,
      got: `${bytes.length}`,
    });
  }
  const text = decode(bytes, file);
  const lines = new LineCounter();
  const document = parseDocument(text, {
    version: "1.2",
    schema: "core",
    strict: true,
    uniqueKeys: true,
    stringKeys: true,
    merge: false,
    prettyErrors: false,
    lineCounter: lines,
  });
  const source = { file, text, document, lines, problems: [] };
  assertDepth(source);
  return { ...source, problems: [...syntaxProblems(source), ...plainProblems(source)] };
}

/** Where a problem stands: at the value, at the key, or at the nearest ancestor that exists. */
export function locate(source: YamlSource, problem: Problem): LocatedProblem {
  for (let length = problem.path.length; length >= 0; length -= 1) {
    const path = problem.path.slice(0, length);
    const wanted = problem.atKey === true && length === problem.path.length;
    const offset = wanted ? keyOffset(source, path) : valueOffset(source, path);
    if (offset !== undefined) return at(source, problem, offset);
  }
  return at(source, problem, 0);
}

function at(source: YamlSource, problem: Problem, offset: number): LocatedProblem {
  const { line, col } = source.lines.linePos(offset);
  return { ...problem, file: source.file, line: Math.max(line, 1), column: Math.max(col, 1) };
}

function valueOffset(source: YamlSource, path: readonly (string | number)[]): number | undefined {
  const node = path.length === 0 ? source.document.contents : source.document.getIn(path, true);
  return isNode(node) ? node.range?.[0] : undefined;
}

function keyOffset(source: YamlSource, path: readonly (string | number)[]): number | undefined {
  const parent =
    path.length === 1 ? source.document.contents : source.document.getIn(path.slice(0, -1), true);
  const items: unknown = (parent as { items?: unknown } | null)?.items;
  if (!Array.isArray(items)) return undefined;
  for (const pair of items) {
    if (isPair(pair) && isScalar(pair.key) && pair.key.value === path.at(-1)) return pair.key.range?.[0];
  }
  return undefined;
}

function decode(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw definitionError("definition.not-utf8", {
      subject: file,
      expected: "UTF-8",
      got: "other bytes",
      cause,
    });
  }
}

function assertDepth({ document, file, lines }: YamlSource): void {
  const exhausted = document.errors.find((error) => error.code === "RESOURCE_EXHAUSTION");
  let offset = exhausted?.pos[0];
  if (offset === undefined) {
    visit(document, {
      Collection: (_key, node, ancestors) => {
        if (ancestors.length <= maximumDepth * 2) return undefined;
        offset = node.range?.[0];
        return visit.BREAK;
      },
    });
  }
  if (offset === undefined) return;
  const { line, col } = lines.linePos(offset);
  throw definitionError("definition.too-deep", {
    subject: `${file}:${line}:${col}`,
    expected: `at most ${maximumDepth} levels`,
    got: "more",
    details: { file, line, column: col },
  });
}

function syntaxProblems(source: YamlSource): LocatedProblem[] {
  return [...source.document.errors].map((error: YAMLError) => {
    const duplicate = error.code === "DUPLICATE_KEY";
    const problem: Problem = {
      code: duplicate ? "definition.duplicate-key" : "definition.syntax",
      path: [],
      expected: duplicate ? "each key once" : "well-formed YAML",
      got: duplicate ? "a second one" : (error.message.split("\n")[0] ?? error.code),
    };
    return at(source, problem, error.pos[0]);
  });
}

/** Anchors, aliases and tags. A key named __proto__ is refused here, before any object is made of it. */
function plainProblems(source: YamlSource): LocatedProblem[] {
  const found: LocatedProblem[] = [];
  const add = (
    node: { range?: readonly number[] | null },
    code: Problem["code"],
    expected: string,
    got: string,
  ) => found.push(at(source, { code, path: [], expected, got }, node.range?.[0] ?? 0));
  visit(source.document, {
    Node: (_key, node) => {
      if (isAlias(node)) add(node, "definition.alias", "the value itself", `an alias, *${node.source}`);
      else if (node.anchor !== undefined) add(node, "definition.alias", "no anchor", `&${node.anchor}`);
      if (!isAlias(node) && node.tag !== undefined) add(node, "definition.tag", "no tag", node.tag);
    },
    Pair: (_key, pair) => {
      if (isScalar(pair.key) && pair.key.value === "__proto__") {
        add(pair.key, "definition.wrong-name", "another key", "__proto__");
      }
    },
  });
  return found;
}
