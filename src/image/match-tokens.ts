import type { ClassToken, Token } from "./pattern-tokens.ts";

/**
 * Does the whole of `path` match? A set of states walks along the path, so that time is length × tokens whatever the pattern is:
 * a hostile pattern cannot make it backtrack.
 */
export function matchTokens(tokens: readonly Token[], path: string): boolean {
  let states = new Set<number>();
  enter(tokens, states, 0);
  for (const char of path) {
    const next = new Set<number>();
    for (const state of states) step(tokens, next, state, char);
    if (next.size === 0) return false;
    states = next;
  }
  return states.has(tokens.length);
}

/** A state is the index of the token that comes next; -index-1 means inside the `deep` token at that index. */
function enter(tokens: readonly Token[], states: Set<number>, state: number): void {
  if (states.has(state)) return;
  states.add(state);
  const kind = tokens[state]?.kind;
  if (kind === "star" || kind === "rest") enter(tokens, states, state + 1);
  if (kind !== "deep") return;
  states.add(-state - 1);
  enter(tokens, states, state + 1);
}

function step(tokens: readonly Token[], next: Set<number>, state: number, char: string): void {
  if (state < 0) stepDeep(tokens, next, state, char);
  else stepToken(tokens, next, state, char);
}

function stepDeep(tokens: readonly Token[], next: Set<number>, state: number, char: string): void {
  if (char === "\n") return;
  next.add(state);
  if (char === "/") enter(tokens, next, -state);
}

function stepToken(tokens: readonly Token[], next: Set<number>, state: number, char: string): void {
  const token = tokens[state];
  if (token === undefined || token.kind === "deep") return;
  if (token.kind === "star" && char !== "/") enter(tokens, next, state);
  if (token.kind === "rest" && char !== "\n") enter(tokens, next, state);
  if (token.kind === "one" && char !== "/") enter(tokens, next, state + 1);
  if (token.kind === "literal" && token.char === char) enter(tokens, next, state + 1);
  if (token.kind === "class" && inClass(token, char)) enter(tokens, next, state + 1);
}

function inClass(token: ClassToken, char: string): boolean {
  const code = char.codePointAt(0) as number;
  return token.ranges.some(([from, to]) => code >= from && code <= to) !== token.negated;
}
