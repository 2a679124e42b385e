import { lstatSync } from "node:fs";
import type { Listing } from "../../tree/entry.ts";
import type { Finding } from "../../tree/finding.ts";
import { controlFiles } from "../../tree/limits.ts";

/**
 * Everything in a tree that does not belong to root (A4). Who owns a file can write it whatever its mode says; that nobody else can is
 * the mode rules' affair. The tree was just compared with its listing: these are all of its entries, and what cannot be looked at is
 * among the findings of that, or has changed since.
 */
export function findNotRoot(root: string, listing: Listing, isSound: boolean): Finding[] {
  const paths = ["", ...controlFiles, ...listing.entries.map((entry) => entry.path)];
  return paths.flatMap((path) => {
    const owner = ownerOf(path === "" ? root : `${root}/${path}`);
    if (owner === 0) return [];
    if (owner !== undefined)
      return [toFinding("admission.pack-writable", path, "owner root", `user ${owner}`)];
    return isSound ? [toFinding("tree.changed-while-read", path, "no change", "a change")] : [];
  });
}

function ownerOf(path: string): number | undefined {
  try {
    return lstatSync(path).uid;
  } catch {
    return undefined;
  }
}

function toFinding(code: string, path: string, expected: string, got: string): Finding {
  return { code, path: path || ".", expected, got };
}
