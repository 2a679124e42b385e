import { type ErrorTable, errorsOf } from "../errors.ts";

const remake = "Build the pack again; a manifest is never edited by hand.";
const rewrite = "Let sealpack write the file.";
const stage = "Stage or build the pack again.";

/** What can be wrong with a manifest, or between a manifest and its pack. Exit 3 marks what could not be checked. */
export const manifestErrors = {
  "manifest.missing": {
    exit: 1,
    meaning: "A pack has no sealpack.json: it was never sealed.",
    remedy: "Name the directory of a sealed pack, or build it.",
  },
  "manifest.listing-missing": { exit: 1, meaning: "A pack has no sealpack.tree.", remedy: stage },
  "manifest.not-a-file": {
    exit: 1,
    meaning: "sealpack.json or sealpack.tree is a link, directory, FIFO, socket or device.",
    remedy: stage,
  },
  "manifest.cannot-read": {
    exit: 3,
    meaning: "The operating system did not let the reader read sealpack.json or sealpack.tree.",
    remedy: "Run as a user who may read the pack.",
  },
  "manifest.changed-while-read": {
    exit: 3,
    meaning: "sealpack.json or sealpack.tree changed while it was read.",
    remedy: "Stop whatever writes to the pack and run again.",
  },
  "manifest.too-large": { exit: 1, meaning: "A manifest is larger than 1 MiB.", remedy: remake },
  "manifest.not-utf8": { exit: 1, meaning: "A manifest is not valid UTF-8.", remedy: remake },
  "manifest.byte-order-mark": {
    exit: 1,
    meaning: "A manifest begins with a byte order mark.",
    remedy: rewrite,
  },
  "manifest.not-json": { exit: 1, meaning: "A manifest is not one JSON document.", remedy: remake },
  "manifest.schema-unknown": {
    exit: 3,
    meaning: "A manifest has a schema that this version does not read.",
    remedy: "Use a sealpack that reads it.",
  },
  "manifest.unknown-key": {
    exit: 1,
    meaning: "A manifest has a key that its schema does not have.",
    remedy: remake,
  },
  "manifest.missing-key": {
    exit: 1,
    meaning: "A manifest lacks a key that its schema has.",
    remedy: remake,
  },
  "manifest.type": { exit: 1, meaning: "A manifest's value has another type or form.", remedy: remake },
  "manifest.number": {
    exit: 1,
    meaning: "A manifest's number is no safe, non-negative integer.",
    remedy: remake,
  },
  "manifest.name": {
    exit: 1,
    meaning: "A manifest's name is not of the allowed form, or looks like an integer.",
    remedy: remake,
  },
  "manifest.path": {
    exit: 1,
    meaning: "A manifest's path is no normal path below the pack.",
    remedy: remake,
  },
  "manifest.hex": { exit: 1, meaning: "A manifest's digest is not of its form.", remedy: remake },
  "manifest.source-revision": {
    exit: 1,
    meaning: "The source revision is no revision, or abbreviated in a release.",
    remedy: "Build from a clean checkout, which gives the full revision.",
  },
  "manifest.unsorted-list": {
    exit: 1,
    meaning: "A manifest's list is unsorted or names something twice.",
    remedy: remake,
  },
  "manifest.not-canonical": {
    exit: 1,
    meaning:
      "A manifest's bytes are not what sealpack prints for it: duplicate keys, odd escapes, other spacing.",
    remedy: rewrite,
  },
  "manifest.not-printable": {
    exit: 1,
    meaning: "A value cannot stand in JSON: a lone surrogate, undefined or no finite number.",
    remedy: "Remove it from what the manifest is made of.",
  },
  "manifest.digest": {
    exit: 1,
    meaning: "A manifest's digest is not that of its payload.",
    remedy: remake,
  },
  "manifest.bridge-digest": {
    exit: 1,
    meaning: "A manifest's bridgeDigest is not that of its bridges.",
    remedy: remake,
  },
  "manifest.not-the-trusted": {
    exit: 1,
    meaning: "A pack's manifest is not the trusted one.",
    remedy: "Stage the pack that belongs to the trusted manifest.",
  },
  "manifest.tree-digest": {
    exit: 1,
    meaning: "The listing is not the one that the manifest binds.",
    remedy: stage,
  },
  "manifest.tree-counts": {
    exit: 1,
    meaning: "The manifest's counts of entries or bytes are not the listing's.",
    remedy: remake,
  },
  "manifest.file-not-listed": {
    exit: 1,
    meaning: "The manifest names a file that the listing does not have, or not as a file of that kind.",
    remedy: remake,
  },
  "manifest.file-digest": {
    exit: 1,
    meaning: "The manifest gives a file another SHA-256 than the listing.",
    remedy: remake,
  },
  "manifest.bridge-component": {
    exit: 1,
    meaning: "A bridge that is a package has another digest than its component.",
    remedy: remake,
  },
  "manifest.candidate-not-listed": {
    exit: 1,
    meaning: "A candidate's asset directory is not in the listing.",
    remedy: remake,
  },
} as const satisfies ErrorTable;

export const manifestError = errorsOf(manifestErrors);

export type ManifestCode = keyof typeof manifestErrors;
