import { foldPath } from "./fold-path.ts";
import { controlFiles, treeLimits } from "./limits.ts";

/** The rules of design 1 that one path can break, in the order in which they are tried. */
export type PathProblem =
  | "tree.path-too-long"
  | "tree.path-control-character"
  | "tree.path-backslash"
  | "tree.path-segment"
  | "tree.path-too-deep"
  | "tree.path-reserved";

const plain = /^[\x21-\x5b\x5d-\x7e]+$/;
const badSegment = /(?:^|\/)\.{0,2}(?:\/|$)/;

/** The first rule that a path breaks, or undefined. Takes decoded text: UTF-8 was checked when it was decoded. */
export function pathProblem(path: string): PathProblem | undefined {
  if (isTooLong(path)) return "tree.path-too-long";
  if (!plain.test(path)) {
    if (/\p{Cc}/u.test(path)) return "tree.path-control-character";
    if (path.includes("\\")) return "tree.path-backslash";
  }
  if (badSegment.test(path)) return "tree.path-segment";
  if (isTooDeep(path)) return "tree.path-too-deep";
  if (isReserved(path)) return "tree.path-reserved";
  return undefined;
}

function isTooDeep(path: string): boolean {
  if (path.length < treeLimits.depth) return false;
  return path.split("/").length > treeLimits.depth;
}

function isTooLong(path: string): boolean {
  if (path.length * 3 <= treeLimits.pathBytes) return false;
  return Buffer.byteLength(path) > treeLimits.pathBytes;
}

/** `Sealpack.JSON` would be the same file on a file system that ignores case. */
function isReserved(path: string): boolean {
  return !path.includes("/") && (controlFiles as readonly string[]).includes(foldPath(path));
}

/** The path of the directory that holds it; "" for an entry of the root. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
