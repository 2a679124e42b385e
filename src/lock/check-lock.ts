import { type TargetId, toTarget } from "../definition/target.ts";
import { isSealpackError } from "../errors.ts";
import { inspectLock, type LoadedLock, type LockSource } from "./load-lock.ts";
import { planTarget } from "./plan-target.ts";
import type { LockProblem } from "./problem.ts";

/** What `sealpack lock check` reports. The lock is sound for a target when both lists of problems are empty. */
export interface LockReport {
  readonly file: string;
  readonly sha256: string;
  /** Packages of the lock, for all targets together. */
  readonly packages: number;
  readonly problems: readonly LockProblem[];
  readonly targets: readonly TargetVerdict[];
}

export interface TargetVerdict {
  readonly target: TargetId;
  /** Packages that the target gets; 0 where it cannot be planned. */
  readonly packages: number;
  readonly notes: readonly string[];
  readonly problem?: { readonly code: string; readonly message: string; readonly remedy: string };
}

/**
 * Judges a lock and plans every declared target, as data.
 * @throws what {@link inspectLock} throws: an unreadable file, another digest, another shape
 */
export async function checkLock(source: LockSource): Promise<LockReport> {
  const { loaded, problems } = await inspectLock(source);
  const targets =
    problems.length > 0 ? [] : source.definition.targets.map((id) => toVerdict(loaded, source, id));
  return { file: loaded.file, sha256: loaded.sha256, packages: loaded.graph.nodes.size, problems, targets };
}

function toVerdict(loaded: LoadedLock, { definition }: LockSource, target: TargetId): TargetVerdict {
  try {
    const { packages, notes } = planTarget(loaded, definition, toTarget(target));
    return { target, packages: packages.length, notes };
  } catch (error) {
    if (!isSealpackError(error)) throw error;
    const { code, message, remedy } = error;
    return { target, packages: 0, notes: [], problem: { code, message, remedy } };
  }
}
