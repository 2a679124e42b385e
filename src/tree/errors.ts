import { type ErrorTable, errorsOf } from "../errors.ts";

const restore = "Restore the file from the pack's source, or build or stage the pack again.";
const rename = "Rename it, or leave it out of the pack.";
const remake = "Write the listing with sealpack; it is never edited by hand.";
const chmod = "Correct the mode: 755 for directories and executables, 644 for other files.";

/** What can be wrong with a tree or a listing. Exit 3 marks what could not be checked (design 10). */
export const treeErrors = {
  "tree.root-not-a-directory": {
    exit: 2,
    meaning: "The root of the tree is absent, a link or no directory.",
    remedy: "Name the directory that holds sealpack.json, not a link to it.",
  },
  "tree.content": { exit: 1, meaning: "A file has other bytes than the listing says.", remedy: restore },
  "tree.size": { exit: 1, meaning: "A file has another size than the listing says.", remedy: restore },
  "tree.missing-file": { exit: 1, meaning: "A listed file is absent.", remedy: restore },
  "tree.missing-directory": {
    exit: 1,
    meaning: "A listed directory is absent, with everything below it.",
    remedy: restore,
  },
  "tree.extra-file": { exit: 1, meaning: "A file is not in the listing.", remedy: "Remove it." },
  "tree.extra-directory": {
    exit: 1,
    meaning: "A directory is not in the listing; nothing below it was looked at.",
    remedy: "Remove it.",
  },
  "tree.extra-link": { exit: 1, meaning: "A symbolic link is not in the listing.", remedy: "Remove it." },
  "tree.extra-special": {
    exit: 1,
    meaning: "A FIFO, socket or device is not in the listing.",
    remedy: "Remove it.",
  },
  "tree.extra-not-utf8": {
    exit: 1,
    meaning: "A name is not UTF-8, so no listing can hold it.",
    remedy: "Remove it.",
  },
  "tree.type-file": { exit: 1, meaning: "A file stands where a directory is listed.", remedy: restore },
  "tree.type-directory": { exit: 1, meaning: "A directory stands where a file is listed.", remedy: restore },
  "tree.type-link": {
    exit: 1,
    meaning: "A symbolic link stands where a file or directory is listed.",
    remedy: restore,
  },
  "tree.type-special": {
    exit: 1,
    meaning: "A FIFO, socket or device stands where a file or directory is listed.",
    remedy: restore,
  },
  "tree.mode-setuid": { exit: 1, meaning: "The setuid bit is set.", remedy: chmod },
  "tree.mode-setgid": { exit: 1, meaning: "The setgid bit is set.", remedy: chmod },
  "tree.mode-sticky": { exit: 1, meaning: "The sticky bit is set.", remedy: chmod },
  "tree.mode-writable": { exit: 1, meaning: "Group or others may write.", remedy: chmod },
  "tree.mode-unreadable": { exit: 1, meaning: "No one may read: no read bit is set.", remedy: chmod },
  "tree.mode-not-searchable": {
    exit: 1,
    meaning: "No one may search the directory: no execute bit is set.",
    remedy: chmod,
  },
  "tree.mode-executable": {
    exit: 1,
    meaning: "A file listed without execute bits has all three.",
    remedy: chmod,
  },
  "tree.mode-not-executable": {
    exit: 1,
    meaning: "A file listed with execute bits has none.",
    remedy: chmod,
  },
  "tree.mode-partial-execute": {
    exit: 1,
    meaning: "A file has some of the three execute bits, but not all.",
    remedy: chmod,
  },
  "tree.hard-link-outside": {
    exit: 1,
    meaning: "A file has a hard link outside the tree, through which it can be changed.",
    remedy: "Copy the tree instead of linking it.",
  },
  "tree.too-many-entries": {
    exit: 1,
    meaning: "The tree has more entries than any sealed pack may have.",
    remedy: "Remove what does not belong to the pack.",
  },
  "tree.changed-while-read": {
    exit: 3,
    meaning: "A file or directory changed while it was read, so no answer about it would hold.",
    remedy: "Stop whatever writes to the tree and run again.",
  },
  "tree.cannot-read-file": {
    exit: 3,
    meaning: "The operating system did not let the reader read a file.",
    remedy: "Run as a user who may read the tree.",
  },
  "tree.cannot-read-directory": {
    exit: 3,
    meaning: "The operating system did not let the reader list or search a directory.",
    remedy: "Run as a user who may read the tree.",
  },
  "tree.not-sealable": {
    exit: 1,
    meaning: "A tree to be sealed holds a link, FIFO, socket or device.",
    remedy: "Replace it by a regular file, or leave it out of the pack.",
  },
  "tree.path-not-utf8": { exit: 1, meaning: "A name is not valid UTF-8.", remedy: rename },
  "tree.path-control-character": {
    exit: 1,
    meaning: "A path holds a control character.",
    remedy: rename,
  },
  "tree.path-backslash": { exit: 1, meaning: "A path holds a backslash.", remedy: rename },
  "tree.path-segment": {
    exit: 1,
    meaning: "A path has an empty, `.` or `..` segment.",
    remedy: rename,
  },
  "tree.path-too-long": { exit: 1, meaning: "A path is longer than a pack allows.", remedy: rename },
  "tree.path-too-deep": { exit: 1, meaning: "A path is deeper than a pack allows.", remedy: rename },
  "tree.path-collision": {
    exit: 1,
    meaning: "Two paths are equal after normalisation and case folding.",
    remedy: rename,
  },
  "tree.path-reserved": {
    exit: 1,
    meaning: "A listing names sealpack.json or sealpack.tree, which stand outside it.",
    remedy: remake,
  },
  "tree.listing-too-large": {
    exit: 1,
    meaning: "A listing has more bytes, entries or listed bytes than a pack may have.",
    remedy: "Leave out what the pack does not need.",
  },
  "tree.listing-not-utf8": { exit: 1, meaning: "A listing is not valid UTF-8.", remedy: remake },
  "tree.listing-version": {
    exit: 3,
    meaning: "A listing begins with another header than this version reads.",
    remedy: "Use a sealpack that reads it.",
  },
  "tree.listing-line": {
    exit: 1,
    meaning: "A listing's line is not type, size, digest and path with one TAB between.",
    remedy: remake,
  },
  "tree.listing-end": { exit: 1, meaning: "A listing does not end with a newline.", remedy: remake },
  "tree.listing-order": {
    exit: 1,
    meaning: "A listing is not sorted by the bytes of the paths.",
    remedy: remake,
  },
  "tree.listing-duplicate": { exit: 1, meaning: "A listing names a path twice.", remedy: remake },
  "tree.listing-parent": {
    exit: 1,
    meaning: "A listing names a path whose parent it does not list as a directory.",
    remedy: remake,
  },
  "tree.placed-not-listed": {
    exit: 1,
    meaning: "A placed file is not a file of the listing, or its component is not in the lock.",
    remedy: "Declare only placements that the build performed.",
  },
} as const satisfies ErrorTable;

export const treeError = errorsOf(treeErrors);

export type TreeCode = keyof typeof treeErrors;
