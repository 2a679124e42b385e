import type { PackDefinition } from "../definition/pack-definition.ts";
import type { Target } from "../definition/target.ts";
import type { LoadedLock } from "../lock/load-lock.ts";
import type { Plan } from "../lock/types.ts";
import type { Manifest } from "../manifest/types.ts";
import type { PlacedFile } from "../tree/digest-components.ts";
import type { Listing } from "../tree/entry.ts";
import type { Omission } from "./assemble/apply-omits.ts";
import type { CompiledFile } from "./compile/compile-bridges.ts";
import type { Source } from "./source/read-source.ts";

/** What a caller asks of a build. Paths are absolute. */
export interface BuildRequest {
  readonly packDir: string;
  readonly out: string;
  readonly target: Target;
  readonly sourceRevision?: string;
  readonly assertClean: boolean;
  readonly allowDirty: boolean;
  /** Replaces the pack's own lock and its pin, as one (requirement D5). */
  readonly lock?: { readonly file: string; readonly sha256: string };
  readonly offline: boolean;
  readonly cache: string;
  readonly exercise: boolean;
  readonly allowNetwork: boolean;
  readonly cwd: string;
  readonly home: string;
  readonly signal?: AbortSignal;
  readonly onProgress: (progress: BuildProgress) => void;
}

/** `done` of `total` units of a step; without them the step has just begun. */
export interface BuildProgress {
  readonly step: string;
  readonly done?: number;
  readonly total?: number;
}

/** The states of one tree (design 5). Each step takes the last one's value and returns a new one. */
export interface Declared {
  readonly definition: PackDefinition;
  readonly source: Source;
}

export interface Locked extends Declared {
  readonly lock: LoadedLock;
  readonly plan: Plan;
}

export interface Placed extends Locked {
  /** The tree's root: the plan's packages at their locations, compared with the lock. */
  readonly root: string;
}

export interface Assembled extends Placed {
  readonly placed: readonly PlacedFile[];
  readonly omitted: readonly Omission[];
  readonly compiled: readonly CompiledFile[];
  readonly listing: Listing;
}

export interface Exercised extends Assembled {
  readonly exercised: boolean;
}

export interface Sealed extends Exercised {
  readonly manifest: Manifest;
}
