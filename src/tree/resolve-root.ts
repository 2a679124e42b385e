import { type BigIntStats, lstatSync } from "node:fs";
import { resolve } from "node:path";
import { treeError } from "./errors.ts";
import { toKind } from "./observed.ts";

/**
 * The absolute path of a tree's root, which must be a directory itself: a link could be turned elsewhere between
 * verifying and using. Links above it are the caller's affair.
 * @throws `tree.root-not-a-directory`
 */
export function resolveRoot(root: string): string {
  const absolute = resolve(root);
  const stats = lstatOrReason(absolute);
  if (typeof stats !== "string" && stats.isDirectory()) return absolute;
  throw treeError("tree.root-not-a-directory", {
    subject: root,
    expected: "a directory",
    got: typeof stats === "string" ? stats : toKind(Number(stats.mode)),
  });
}

function lstatOrReason(path: string): BigIntStats | string {
  try {
    return lstatSync(path, { bigint: true });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? "unknown error";
  }
}
