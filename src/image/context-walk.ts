import { readContextDirectory, readLocalInput } from "./context-directory.ts";
import { childState, type IgnoreState } from "./dockerignore.ts";
import type { IgnorePattern } from "./dockerignore-pattern.ts";
import { imageError } from "./errors.ts";
import type { ImageFinding } from "./image-finding.ts";
import type { LocalInput } from "./local-input.ts";

/** Entries of a context. Beyond these the context is not what its author thinks it is. */
const maximumEntries = 500_000;
const maximumDepth = 128;

/** What a walk has found so far; one for all sources, so that overlapping sources count once. */
export interface Walk {
  readonly context: string;
  readonly patterns: readonly IgnorePattern[];
  /** Folders that count by what they are derived from, and are not entered. */
  readonly derived: ReadonlySet<string>;
  /** The derived folders that some source reaches. */
  readonly reached: Set<string>;
  readonly inputs: Map<string, LocalInput>;
  readonly findings: ImageFinding[];
  entries: number;
}

/** Adds everything visible at and below `state`. Returns whether anything was. Links are never followed. */
export function walkVisible(
  walk: Walk,
  state: IgnoreState,
  kind: "file" | "directory" | "link" | "special",
): boolean {
  assertBounds(walk, state.path);
  if (walk.derived.has(state.path)) {
    walk.reached.add(state.path);
    return true;
  }
  if (kind !== "directory") return addEntry(walk, state, kind);
  if (state.path !== "" && differs(walk, state)) return true;
  if (state.path.split("/").at(-1) === ".git" && state.buildkit) return refuseGit(walk, state.path);
  let visible = false;
  if (!state.prunable) {
    for (const child of readContextDirectory(walk.context, state.path)) {
      const below = childState(walk.patterns, state, child.name, child.kind === "directory");
      if (walkVisible(walk, below, child.kind)) visible = true;
    }
  }
  if (visible || !state.buildkit || state.path === "") return visible;
  walk.inputs.set(state.path, { path: state.path, kind: "d", size: 0 });
  return true;
}

function addEntry(walk: Walk, state: IgnoreState, kind: "file" | "link" | "special"): boolean {
  if (differs(walk, state)) return true;
  if (!state.buildkit) return false;
  if (state.path.split("/").at(-1) === ".git") return refuseGit(walk, state.path);
  if (kind === "special") {
    const expected = "a file, a folder or a link";
    walk.findings.push({
      code: "image.special-file",
      file: state.path,
      line: 0,
      expected,
      got: "a FIFO, a socket or a device",
    });
    return true;
  }
  walk.inputs.set(state.path, readLocalInput(walk.context, state.path, kind));
  return true;
}

function differs(walk: Walk, { path, buildkit, classic, old }: IgnoreState): boolean {
  if (buildkit === classic && classic === old) return false;
  const shown = (visible: boolean) => (visible ? "visible" : "ignored");
  const got = `${shown(buildkit)} to BuildKit, ${shown(classic)} to the classic client, ${shown(old)} to 20.10`;
  const expected = "a .dockerignore that all builders read alike";
  walk.findings.push({ code: "image.dockerignore-differs", file: path, line: 0, expected, got });
  return true;
}

/** A clone's own state differs from clone to clone: an ID with it in would say nothing. */
function refuseGit(walk: Walk, path: string): true {
  walk.findings.push({
    code: "image.git-folder",
    file: path,
    line: 0,
    expected: ".git in .dockerignore",
    got: "visible to the build",
  });
  return true;
}

function assertBounds(walk: Walk, path: string): void {
  walk.entries += 1;
  const depth = path.split("/").length;
  if (walk.entries <= maximumEntries && depth <= maximumDepth) return;
  const expected = `at most ${maximumEntries} entries and ${maximumDepth} levels`;
  throw imageError("image.context-too-large", { subject: path.slice(0, 200), expected, got: "more" });
}
