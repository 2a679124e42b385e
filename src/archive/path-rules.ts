import { type ArchiveCode, archiveError } from "./errors.ts";
import type { Limits } from "./limits.ts";

/** True when the path breaks the rule. `path` is as the archive has it, a directory's last slash removed. */
type PathRule = (path: string, limits: Limits) => boolean;

export const hasControlCharacter: PathRule = (path) => /[\u0000-\u001f\u007f-\u009f]/.test(path);
export const hasBackslash: PathRule = (path) => path.includes("\\");
export const isAbsolute: PathRule = (path) => path.startsWith("/");
/** The first name is stripped, so the second one must not be a drive either. */
export const hasDrive: PathRule = (path) => /^([^/]*\/)?[A-Za-z]:/.test(path);
export const hasParentName: PathRule = (path) => path.split("/").includes("..");
export const hasEmptyName: PathRule = (path) => path.split("/").some((name) => name === "" || name === ".");
export const isTooLong: PathRule = (path, limits) => Buffer.byteLength(path) > limits.pathBytes;
export const hasLongName: PathRule = (path, limits) =>
  path.split("/").some((name) => Buffer.byteLength(name) > limits.nameBytes);
export const isTooDeep: PathRule = (path, limits) => path.split("/").length > limits.depth;

/** In the order in which they are asked; the first broken one is reported. */
export const pathRules: readonly (readonly [ArchiveCode, string, PathRule])[] = [
  ["archive.path-too-long", "a shorter path", isTooLong],
  ["archive.path-control", "no control character", hasControlCharacter],
  ["archive.path-backslash", "no backslash", hasBackslash],
  ["archive.path-absolute", "a relative path", isAbsolute],
  ["archive.path-drive", "no drive letter", hasDrive],
  ["archive.path-parent", "no `..`", hasParentName],
  ["archive.path-segment", "no empty name and no `.`", hasEmptyName],
  ["archive.name-too-long", "shorter names", hasLongName],
  ["archive.path-too-deep", "fewer names", isTooDeep],
];

/** Judges the string alone, before the file system is asked anything (design 7). @throws archive.path-* */
export function assertSafePath(path: string, subject: string, limits: Limits): void {
  for (const [code, expected, isBroken] of pathRules) {
    if (isBroken(path, limits)) throw archiveError(code, { subject, expected, got: "one that breaks this" });
  }
}
