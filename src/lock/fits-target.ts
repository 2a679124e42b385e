import type { Target } from "../definition/target.ts";
import type { LockEntry } from "./entry.ts";

/** npm's rule for `os`, `cpu` and `libc` of a package.json, for a machine that need not be this one. */
export function fitsTarget(entry: Pick<LockEntry, "os" | "cpu" | "libc">, target: Target): boolean {
  const libc = target.libc === "none" ? undefined : target.libc;
  return (
    isListed(target.platform, entry.os) &&
    isListed(target.architecture, entry.cpu) &&
    (entry.libc.length === 0 || (libc !== undefined && isListed(libc, entry.libc)))
  );
}

/** No negated word may be the value, and if any word is not negated, one of those must be. `any` alone is no limit. */
function isListed(value: string, list: readonly string[]): boolean {
  if (list.length === 0 || (list.length === 1 && list[0] === "any")) return true;
  if (list.includes(`!${value}`)) return false;
  const wanted = list.filter((word) => !word.startsWith("!"));
  return wanted.length === 0 || wanted.includes(value);
}
