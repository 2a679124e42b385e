import type { TargetId } from "./target.ts";
import { toTargetPath } from "./target-path.ts";

/**
 * Tells whether an omit pattern covers a path of the pack. `*` is any characters of one name, `**` as a whole part is
 * any number of parts, `{a,b}` is one of the words, `{target}` the target's id. `a/**` covers what is below `a` and
 * `a` itself. Takes the product of both lengths at most: a regular expression of many stars would not.
 */
export function toOmitMatcher(pattern: string, target: TargetId): (path: string) => boolean {
  const steps = toTargetPath(pattern, target)
    .split("/")
    .map((part) => (part === "**" ? anyNumber : oneName(part)));
  return (path) => {
    const names = path.split("/");
    const ends = follow(steps, (step, at) => step(names, at));
    return ends.has(names.length);
  };
}

/** True for a pattern that {@link toOmitMatcher} reads as its author means it. */
export function isOmitPattern(pattern: string): boolean {
  const plain = pattern.replace(/\{[^{}]*\}/g, "x");
  if (/[{}[\]?!]/.test(plain)) return false;
  return pattern.split("/").every((part) => part === "**" || !part.includes("**")) && plain !== "**";
}

/** Where a step that begins at `at` may end. */
type Step<Text> = (text: Text, at: number) => readonly number[];

/** Every place where all steps, one after the other from 0, may end. */
function follow<Item>(
  steps: readonly Item[],
  next: (step: Item, at: number) => readonly number[],
): Set<number> {
  let places = new Set([0]);
  for (const step of steps) places = new Set([...places].flatMap((at) => next(step, at)));
  return places;
}

const anyNumber: Step<readonly string[]> = (names, at) =>
  Array.from({ length: names.length - at + 1 }, (_, index) => at + index);

function oneName(part: string): Step<readonly string[]> {
  const steps = part
    .split(/(\*|\{[^{}]*\})/)
    .filter((piece) => piece !== "")
    .map(toPieceStep);
  return (names, at) => {
    const name = names[at];
    if (name === undefined) return [];
    return follow(steps, (step, from) => step(name, from)).has(name.length) ? [at + 1] : [];
  };
}

function toPieceStep(piece: string): Step<string> {
  if (piece === "*")
    return (name, at) => Array.from({ length: name.length - at + 1 }, (_, index) => at + index);
  const words = piece.startsWith("{") ? piece.slice(1, -1).split(",") : [piece];
  return (name, at) => words.filter((word) => name.startsWith(word, at)).map((word) => at + word.length);
}
