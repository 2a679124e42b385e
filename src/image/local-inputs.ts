import { comparePaths } from "../tree/path-order.ts";
import { readContextDirectory, readContextKind } from "./context-directory.ts";
import { type Walk, walkVisible } from "./context-walk.ts";
import { childState, type IgnoreState, rootState } from "./dockerignore.ts";
import type { IgnorePattern } from "./dockerignore-pattern.ts";
import { type ImageFinding, toShownText } from "./image-finding.ts";
import type { LocalInput } from "./local-input.ts";
import { matchTokens } from "./match-tokens.ts";
import { isPatternProblem, parseTokens, type Token } from "./pattern-tokens.ts";
import type { LocalSource } from "./sources.ts";

export interface LocalInputs {
  /** Sorted by the bytes of their paths. */
  readonly inputs: readonly LocalInput[];
  /** The derived folders that the sources reach. */
  readonly reached: ReadonlySet<string>;
  readonly findings: readonly ImageFinding[];
}

export interface LocalInputsOptions {
  readonly context: string;
  readonly patterns: readonly IgnorePattern[];
  readonly derived: readonly string[];
  /** How messages call the Dockerfile. */
  readonly file: string;
}

/** Lists every path that the sources make readable, after `.dockerignore`. Nothing is hashed. Only the sources' own folders are walked. */
export function readLocalInputs(sources: readonly LocalSource[], options: LocalInputsOptions): LocalInputs {
  const { context, patterns, file } = options;
  const found = {
    inputs: new Map<string, LocalInput>(),
    reached: new Set<string>(),
    findings: [] as ImageFinding[],
    entries: 0,
  };
  const walk: Walk = { context, patterns, derived: new Set(options.derived), ...found };
  for (const source of sources) readSource(walk, source, file);
  for (const folder of options.derived) {
    // Below a copied folder it counts as read before it exists.
    if (sources.some(({ path, glob }) => !glob && (path === "" || folder.startsWith(`${path}/`))))
      walk.reached.add(folder);
  }
  const inputs = [...walk.inputs.values()].sort((a, b) => comparePaths(a.path, b.path));
  return { inputs, reached: walk.reached, findings: walk.findings };
}

interface Place {
  readonly state: IgnoreState;
  readonly kind: "file" | "directory" | "link" | "special";
}

function readSource(walk: Walk, source: LocalSource, file: string): void {
  const wrong = takeSource(walk, source);
  if (wrong === undefined) return;
  walk.findings.push({ ...wrong, got: toShownText(wrong.got), file, line: source.line });
}

type Wrong = Pick<ImageFinding, "code" | "expected" | "got">;

/** A source in a derived folder need not exist yet: the folder counts by what it is derived from. */
function takeSource(walk: Walk, source: LocalSource): Wrong | undefined {
  const folder = [...walk.derived].find((path) => source.path === path || source.path.startsWith(`${path}/`));
  if (folder !== undefined) {
    walk.reached.add(folder);
    return undefined;
  }
  const places = findPlaces(walk, source);
  if (!Array.isArray(places)) return places;
  const visible = places.map(({ state, kind }) => walkVisible(walk, state, kind)).some(Boolean);
  if (visible || source.path === "") return undefined;
  return {
    code: "image.source-ignored",
    expected: "something that .dockerignore leaves visible",
    got: source.path,
  };
}

/** What the source's path stands for, looking at every name on the way. */
function findPlaces(walk: Walk, source: LocalSource): Place[] | Wrong {
  const steps = toSteps(source);
  if ("expected" in steps) return { code: "image.source-glob", expected: steps.expected, got: source.path };
  let places: Place[] = [{ state: rootState(walk.patterns), kind: "directory" }];
  for (const step of steps) {
    places = places.flatMap((place) => descend(walk, place, step));
    const link = places.find(({ kind }) => kind === "link");
    if (link === undefined) continue;
    return { code: "image.source-link", expected: "a file or folder that is no link", got: link.state.path };
  }
  if (places.length > 0) return places;
  return { code: "image.source-missing", expected: "a file or folder in the context", got: source.path };
}

type Step = string | readonly Token[];

/** A glob is matched name by name: its stars never cross a `/`. */
function toSteps({ path, glob }: LocalSource): readonly Step[] | { expected: string } {
  const steps: Step[] = [];
  for (const name of path.split("/").filter((part) => part !== "")) {
    const tokens = glob && /[*?[]/.test(name) ? parseTokens(name.replace(/\*+/g, "*")) : name;
    if (typeof tokens !== "string" && isPatternProblem(tokens)) return tokens;
    steps.push(tokens);
  }
  return steps;
}

function descend(walk: Walk, place: Place, step: Step): Place[] {
  if (place.kind !== "directory") return [];
  const { path } = place.state;
  const to = (name: string, kind: Place["kind"]) => ({
    state: childState(walk.patterns, place.state, name, kind === "directory"),
    kind,
  });
  if (typeof step !== "string") {
    const names = readContextDirectory(walk.context, path).filter(({ name }) => matchTokens(step, name));
    return names
      .map(({ name, kind }) => to(name, kind))
      .filter(({ state, kind }) => kind !== "link" || state.buildkit);
  }
  const kind = readContextKind(walk.context, path === "" ? step : `${path}/${step}`);
  return kind === undefined ? [] : [to(step, kind)];
}
