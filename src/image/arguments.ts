import { type Expanded, expandVariables, type Values } from "./expand.ts";
import { type ImageFinding, toShownText } from "./image-finding.ts";
import type { Instruction } from "./instructions.ts";

/** One `ARG` of a Dockerfile. */
export interface ArgumentDeclaration {
  readonly name: string;
  /** The default as written; undefined where there is none. */
  readonly fallback?: string;
  readonly line: number;
  /** Before the first FROM: the only ones that a FROM sees. */
  readonly global: boolean;
}

/** Every declared argument, in order. `ARG A=1 B` declares two. */
export function readArguments(instructions: readonly Instruction[]): readonly ArgumentDeclaration[] {
  const first = instructions.findIndex(({ keyword }) => keyword === "FROM");
  return instructions.flatMap(({ keyword, text, line }, index) => {
    if (keyword !== "ARG") return [];
    return [...text.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(([word]) => {
      const [, name = "", fallback] = /^([^=]*)(?:=([\s\S]*))?$/.exec(word) ?? [];
      return {
        name,
        line,
        global: first < 0 || index < first,
        ...(fallback === undefined ? {} : { fallback }),
      };
    });
  });
}

/** What a FROM may use: the global arguments, given values first. An argument whose default cannot be read is left out. */
export function toGlobalValues(
  declared: readonly ArgumentDeclaration[],
  given: ReadonlyMap<string, string>,
): Values {
  const values = new Map<string, string | undefined>();
  for (const { name, fallback, global } of declared) {
    if (!global) continue;
    const expanded = given.has(name) ? { value: given.get(name) } : readDefault(fallback, values);
    if ("problem" in expanded && expanded.problem !== undefined) values.delete(name);
    else values.set(name, expanded.value);
  }
  return values;
}

/** A default is plain, wholly in double quotes, or wholly in single quotes, where `$` stands for itself. */
function readDefault(text: string | undefined, values: Values): Expanded | { value: undefined } {
  if (text === undefined) return { value: undefined };
  const single = /^'([^'\\]*)'$/.exec(text)?.[1];
  if (single !== undefined) return { value: single };
  return expandVariables(/^"([^"]*)"$/.exec(text)?.[1] ?? text, values);
}

/**
 * A given argument that no ARG declares is refused: builders ignore it, or (proxies, BUILDKIT_*) take it without declaration, and then it
 * changes the build behind the ID's back.
 */
export function givenFindings(
  declared: readonly ArgumentDeclaration[],
  given: ReadonlyMap<string, string>,
  file: string,
): ImageFinding[] {
  const names = new Set(declared.map(({ name }) => name));
  return [...given.keys()].flatMap((name): ImageFinding[] => {
    const implicit = /^(?:https?|ftp|no|all)_proxy$|^BUILDKIT_|^SOURCE_DATE_EPOCH$/i.test(name);
    if (names.has(name) && !implicit) return [];
    const expected = "an argument that the Dockerfile declares";
    return [{ code: "image.argument-undeclared", file, line: 0, expected, got: toShownText(name) }];
  });
}
