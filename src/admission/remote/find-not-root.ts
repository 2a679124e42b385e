import { lstatSync } from "node:fs";
import type { Listing } from "../../tree/entry.ts";
import type { Finding } from "../../tree/finding.ts";
import { controlFiles } from "../../tree/limits.ts";

/**
 * Everything in a tree that does not belong to root (A4). Who owns a file can write it whatever its mode says; that nobody else can is
 * the mode rules' affair. The tree was just compared with its listing: these are all of its entries.
 */
export function findNotRoot(root: string, listing: Listing): Finding[] {
  const paths = ["", ...controlFiles, ...listing.entries.map((entry) => entry.path)];
  return paths.flatMap((path) => {
    const stats = lstatSync(path === "" ? root : `${root}/${path}`, { throwIfNoEntry: false });
    if (stats?.uid === 0) return [];
    const got = stats === undefined ? "nothing" : `user ${stats.uid}`;
    return [{ code: "admission.pack-writable", path: path || ".", expected: "owner root", got }];
  });
}
