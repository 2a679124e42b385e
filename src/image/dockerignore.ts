import type { IgnorePattern } from "./dockerignore-pattern.ts";
import { matchTokens } from "./match-tokens.ts";

/**
 * What the rules say of one path, as each kind of builder reads them. They agree on every usual file; where they do not, the build
 * would depend on the builder and the caller refuses.
 */
export interface Visibility {
  /** BuildKit since 0.9: the last rule that matches the path or a parent wins. */
  readonly buildkit: boolean;
  /** A classic client of 23 and later: the same, but an ignored folder is not entered unless an exception starts with its path. */
  readonly classic: boolean;
  /** A classic client of 20.10: as above, and a rule is tried on the one parent of the rule's own depth. */
  readonly old: boolean;
}

/** A directory on the way down, or the root. */
export interface IgnoreState extends Visibility {
  readonly path: string;
  /** Nothing below can be visible to any builder: the walk need not enter. */
  readonly prunable: boolean;
  readonly matched: readonly boolean[];
  readonly closed: { readonly classic: boolean; readonly old: boolean };
}

export function rootState(patterns: readonly IgnorePattern[]): IgnoreState {
  const matched = patterns.map(() => false);
  const closed = { classic: false, old: false };
  return { path: "", buildkit: true, classic: true, old: true, prunable: false, matched, closed };
}

/** The state of `name` in the directory that `parent` describes. Pure; `isDirectory` decides what a client may skip whole. */
export function childState(
  patterns: readonly IgnorePattern[],
  parent: IgnoreState,
  name: string,
  isDirectory: boolean,
): IgnoreState {
  const path = parent.path === "" ? name : `${parent.path}/${name}`;
  const own = patterns.map((pattern) => matchTokens(pattern.tokens, path));
  const matched = own.map((hit, index) => hit || parent.matched[index] === true);
  const buildkit = isVisible(patterns, matched);
  const old = isVisible(
    patterns,
    patterns.map((pattern, index) => own[index] === true || matchesOldParent(pattern, path)),
  );
  const skip = isDirectory && !hasExceptionBelow(patterns, path);
  const closed = {
    classic: parent.closed.classic || (!buildkit && skip),
    old: parent.closed.old || (!old && skip),
  };
  const visible = { buildkit, classic: buildkit && !parent.closed.classic, old: old && !parent.closed.old };
  const prunable = closed.classic && closed.old && !patterns.some((pattern) => pattern.exception);
  return { path, ...visible, prunable, matched, closed };
}

function isVisible(patterns: readonly IgnorePattern[], matched: readonly boolean[]): boolean {
  let visible = true;
  patterns.forEach((pattern, index) => {
    if (matched[index] === true) visible = pattern.exception;
  });
  return visible;
}

function matchesOldParent(pattern: IgnorePattern, path: string): boolean {
  const parents = path.split("/").slice(0, -1);
  return (
    pattern.depth <= parents.length && matchTokens(pattern.tokens, parents.slice(0, pattern.depth).join("/"))
  );
}

function hasExceptionBelow(patterns: readonly IgnorePattern[], directory: string): boolean {
  return patterns.some((pattern) => pattern.exception && `${pattern.text}/`.startsWith(`${directory}/`));
}
