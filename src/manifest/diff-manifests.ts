import { printJson } from "./print-json.ts";
import type { ExpectedPayload, Payload } from "./types.ts";

export type DifferenceKind =
  | "component"
  | "command"
  | "bridge"
  | "prerequisite"
  | "candidate"
  | "interpreter"
  | "lock"
  | "target"
  | "requires"
  | "tree"
  | "pack";

/** One value that differs. `left` and `right` are JSON values; undefined where that side has none. */
export interface ManifestDifference {
  readonly kind: DifferenceKind;
  /** Which component, command, …; "" where there is only one of its kind. */
  readonly name: string;
  /** Dotted key inside it: `launcher.sha256`. "" where one side lacks it whole. */
  readonly field: string;
  readonly left: unknown;
  readonly right: unknown;
}

const maps = [
  ["component", "components"],
  ["command", "commands"],
  ["bridge", "bridges"],
  ["prerequisite", "prerequisites"],
  ["candidate", "candidates"],
] as const;

const singles = ["interpreter", "lock", "target", "requires", "tree"] as const;

/** In what two payloads differ, components first; provenance only where both have it. Empty where they are equal. */
export function diffManifests(
  a: Payload | ExpectedPayload,
  b: Payload | ExpectedPayload,
): ManifestDifference[] {
  const named = maps.flatMap(([kind, key]) => diffMap(kind, a[key], b[key]));
  const single = singles.flatMap((kind) => diffValue(kind, "", "", a[kind], b[kind]));
  return [...named, ...single, ...diffValue("pack", "", "", packFields(a, b), packFields(b, a))];
}

function packFields(a: Payload | ExpectedPayload, b: Payload | ExpectedPayload): Record<string, unknown> {
  const { name, bridgeDigest } = a;
  if (!("release" in a && "release" in b)) return { name, bridgeDigest };
  return { name, bridgeDigest, sourceRevision: a.sourceRevision, release: a.release };
}

function diffMap(
  kind: DifferenceKind,
  a: Readonly<Record<string, unknown>>,
  b: Readonly<Record<string, unknown>>,
): ManifestDifference[] {
  return unionOfKeys(a, b).flatMap((name) => diffValue(kind, name, "", own(a, name), own(b, name)));
}

function diffValue(
  kind: DifferenceKind,
  name: string,
  field: string,
  left: unknown,
  right: unknown,
): ManifestDifference[] {
  if (isPlain(left) && isPlain(right)) {
    return unionOfKeys(left, right).flatMap((key) =>
      diffValue(kind, name, field === "" ? key : `${field}.${key}`, own(left, key), own(right, key)),
    );
  }
  return isEqual(left, right) ? [] : [{ kind, name, field, left, right }];
}

function isEqual(left: unknown, right: unknown): boolean {
  if (left === undefined || right === undefined) return left === right;
  return printJson(left, 0) === printJson(right, 0);
}

function unionOfKeys(a: object, b: object): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
}

function own(object: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
