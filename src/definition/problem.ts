import type { DefinitionCode } from "./errors.ts";

/** One thing wrong with a definition, before it has a position. */
export interface Problem {
  readonly code: DefinitionCode;
  /** Keys and indices from the root of the document. */
  readonly path: readonly (string | number)[];
  readonly expected: string;
  readonly got: string;
  readonly remedy?: string;
  /** True where the key is wrong and not its value: the position is the key's. */
  readonly atKey?: boolean;
}

/** A problem with its place in the file, as `details.problems` carries it. Line and column count from 1. */
export interface LocatedProblem extends Problem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** `commands.codex.executable.linux-x64`, `place[1].to`. */
export function toKeyPath(path: readonly (string | number)[]): string {
  const text = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`)).join("");
  return text.replace(/^\./, "");
}

/** A value as a message shows it: JSON, on one line, at most 80 characters. */
export function toShown(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
