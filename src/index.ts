/** The library: building and comparing packs. What a manifest says and how it is verified is `sealpack/manifest`. */

export type { PackDefinition } from "./definition/pack-definition.ts";
export { readDefinition } from "./definition/read-definition.ts";
export { isTargetId, type Target, type TargetId, targetIds, toTarget } from "./definition/target.ts";
export type { ErrorEntry, ExitCode } from "./errors.ts";
export { isSealpackError, SealpackError } from "./errors.ts";
export { checkLock, type LockReport } from "./lock/check-lock.ts";
export { type BuildResult, buildPack } from "./pack/build-pack.ts";
export { diffPacks, type FileDifference, type PackDifferences } from "./pack/diff-packs.ts";
export type { BuildProgress, BuildRequest } from "./pack/steps.ts";
