import { describe, expect, test } from "vitest";
import { diffTree } from "../../src/tree/diff-tree.ts";
import { type Observed, toKind } from "../../src/tree/observed.ts";
import { toListing } from "../../src/tree/to-listing.ts";

const digest = "ab".repeat(32);
const listing = toListing([
  { type: "d", size: 0, digest: "", path: "dir" },
  { type: "f", size: 3, digest, path: "dir/file" },
  { type: "f", size: 3, digest, path: "dir-file" },
]);

let inode = 1n;
function seen(path: string, change: Partial<Observed> = {}): Observed {
  inode += 1n;
  const kind = change.kind ?? (path === "." || path === "dir" ? "directory" : "file");
  const mode = kind === "directory" ? 0o40755 : 0o100644;
  return { path, utf8: true, kind, mode, device: 1n, inode, links: 1, size: 3, digest, ...change };
}

const sound = [seen("."), seen("dir"), seen("dir/file"), seen("dir-file")];

/** The sound tree with some things replaced by path, or left out where undefined. */
function treeWith(changes: Record<string, Partial<Observed> | undefined>): Observed[] {
  const kept = sound.filter((one) => !Object.hasOwn(changes, one.path));
  const changed = Object.entries(changes).flatMap(([path, change]) => (change ? [seen(path, change)] : []));
  return [...kept, ...changed];
}

const unread = { kind: "unread", reason: "EACCES" } as const;
const changed = { kind: "changed", reason: "changed" } as const;

describe("diffTree", () => {
  test.each<[string, Observed[], readonly string[]]>([
    ["nothing", sound, []],
    ["a device for a file", treeWith({ "dir-file": { kind: "device" } }), ["dir-file tree.type-special"]],
    ["an extra device", treeWith({ extra: { kind: "device" } }), ["extra tree.extra-special"]],
    [
      "an absent directory covers what was in it",
      treeWith({ dir: undefined, "dir/file": undefined }),
      ["dir tree.missing-directory"],
    ],
    [
      "an unread directory covers what was in it",
      treeWith({ dir: { trouble: unread }, "dir/file": undefined }),
      ["dir tree.cannot-read-directory"],
    ],
    ["an unread root covers all", [seen(".", { trouble: unread })], [". tree.cannot-read-directory"]],
    ["an absent root covers all", [], [". tree.missing-directory"]],
    [
      "a changed directory covers nothing",
      treeWith({ dir: { trouble: changed }, "dir/file": undefined }),
      ["dir tree.changed-while-read", "dir/file tree.missing-file"],
    ],
    [
      "a file that lstat refused",
      treeWith({ "dir-file": { mode: 0, trouble: { kind: "unread", reason: "EIO" } } }),
      ["dir-file tree.cannot-read-file"],
    ],
    [
      "a file that went away",
      treeWith({ "dir-file": { mode: 0, trouble: changed } }),
      ["dir-file tree.changed-while-read"],
    ],
    [
      "an unread file with a wrong mode",
      treeWith({ "dir-file": { mode: 0o104644, trouble: unread } }),
      ["dir-file tree.cannot-read-file", "dir-file tree.mode-setuid"],
    ],
    [
      "other bytes and another mode",
      treeWith({ "dir-file": { mode: 0o100755, digest: "" } }),
      ["dir-file tree.content", "dir-file tree.mode-executable"],
    ],
    ["two links, one inside", treeWith({ "dir-file": { links: 2 } }), ["dir-file tree.hard-link-outside"]],
    [
      "two links, both inside",
      treeWith({ "dir-file": { links: 2, inode: 99n }, "dir/file": { links: 2, inode: 99n } }),
      [],
    ],
    [
      "two links of the same number on two devices",
      treeWith({ "dir-file": { links: 2, inode: 99n }, "dir/file": { links: 2, inode: 99n, device: 2n } }),
      ["dir-file tree.hard-link-outside", "dir/file tree.hard-link-outside"],
    ],
    [
      "a name that is not UTF-8 but is shown like a listed one",
      [...sound, seen("dir-file", { utf8: false })],
      ["dir-file tree.extra-not-utf8"],
    ],
  ])("%s", (_name, observed, findings) => {
    expect(diffTree(listing, observed).map(({ path, code }) => `${path} ${code}`)).toEqual(findings);
  });
});

test("toKind knows each type of file", () => {
  const kinds = [0o140000, 0o120000, 0o100000, 0o060000, 0o040000, 0o020000, 0o010000].map(toKind);
  expect(kinds).toEqual(["socket", "link", "file", "device", "directory", "device", "fifo"]);
});
