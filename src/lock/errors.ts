import { type ErrorTable, errorsOf } from "../errors.ts";

const refresh = "Run `sealpack lock refresh` on the pack folder and review the difference.";

/** What can be wrong with a lock, with what it says about a target, and with refreshing it. */
export const lockErrors = {
  "lock.unreadable": {
    exit: 2,
    meaning: "The lock or package.json cannot be read.",
    remedy: "Name a pack folder that holds package.json and the lock.",
  },
  "lock.digest-mismatch": {
    exit: 1,
    meaning: "The lock's bytes are not those that the pinned SHA-256 names. Nothing was parsed or fetched.",
    remedy: `Restore the lock, or, where the change is meant: ${refresh}`,
  },
  "lock.too-large": {
    exit: 2,
    meaning: "The lock or package.json exceeds its bound of bytes or entries.",
    remedy: "Check that the file is what its name says.",
  },
  "lock.crlf": {
    exit: 2,
    meaning: "The lock holds carriage returns. Its bytes are what is pinned, and npm writes none.",
    remedy:
      "Keep the lock out of line-end conversion (`package-lock.json -text` in .gitattributes), then refresh it.",
  },
  "lock.not-json": {
    exit: 2,
    meaning: "The lock or package.json is not JSON in UTF-8.",
    remedy: refresh,
  },
  "lock.version-1": {
    exit: 2,
    meaning: "The lock has lockfileVersion 1, which does not say enough about each package.",
    remedy: refresh,
  },
  "lock.version-2": {
    exit: 2,
    meaning: "The lock has lockfileVersion 2, which holds two descriptions of one tree that may disagree.",
    remedy: refresh,
  },
  "lock.version-unknown": {
    exit: 2,
    meaning: "The lock's lockfileVersion is not 3.",
    remedy: refresh,
  },
  "lock.malformed": {
    exit: 2,
    meaning: "The lock or package.json is JSON of another shape than npm writes.",
    remedy: refresh,
  },
  "lock.unsupported-feature": {
    exit: 2,
    meaning:
      "package.json or the lock uses an npm feature that changes what a package contains or where it comes from.",
    remedy: "Remove it; a pack declares patches and overrides only.",
  },
  "lock.link": {
    exit: 1,
    meaning: "An entry is a link to a folder: its content is pinned by nothing.",
    remedy: "Depend on a published version.",
  },
  "lock.location": {
    exit: 1,
    meaning:
      "An entry's location is not a chain of node_modules/<name>, or lies in a package that has no entry.",
    remedy: "Depend on published versions only, then refresh the lock.",
  },
  "lock.git-source": {
    exit: 1,
    meaning: "An entry comes from a git repository.",
    remedy: "Depend on a published version.",
  },
  "lock.file-source": {
    exit: 1,
    meaning: "An entry comes from a file or folder of some machine.",
    remedy: "Depend on a published version.",
  },
  "lock.insecure-source": {
    exit: 1,
    meaning: "An entry comes over plain http.",
    remedy: "Use https.",
  },
  "lock.foreign-origin": {
    exit: 1,
    meaning: "An entry names an origin that is neither npm's default nor one of pack.yaml's origins.",
    remedy:
      "Refresh the lock, which leaves addresses out (a mirror belongs in npm's configuration), or list the origin under `origins`.",
  },
  "lock.unknown-source": {
    exit: 1,
    meaning: "An entry's `resolved` is no plain https URL.",
    remedy: refresh,
  },
  "lock.integrity-missing": {
    exit: 1,
    meaning: "An entry has no integrity, and no parent's tarball brings it.",
    remedy: refresh,
  },
  "lock.integrity-weak": {
    exit: 1,
    meaning: "An entry's integrity has no sha512.",
    remedy: "Use a version that was published with sha512, then refresh the lock.",
  },
  "lock.integrity-ambiguous": {
    exit: 1,
    meaning: "An entry has more than one digest, which may name different bytes.",
    remedy: "Leave the one sha512; refreshing the lock does.",
  },
  "lock.integrity-malformed": {
    exit: 1,
    meaning: "An entry's integrity is not sha512 and the base64 of 64 bytes.",
    remedy: refresh,
  },
  "lock.bundle-orphan": {
    exit: 1,
    meaning:
      "An entry claims to come inside a parent's tarball, and no parent says that it bundles anything.",
    remedy: refresh,
  },
  "lock.nested-shrinkwrap": {
    exit: 1,
    meaning: "A package brings its own npm-shrinkwrap.json, which would decide about packages in our place.",
    remedy: "Use a version without it.",
  },
  "lock.root-mismatch": {
    exit: 1,
    meaning: "package.json and the lock's copy of it differ.",
    remedy: refresh,
  },
  "lock.edge-missing": {
    exit: 1,
    meaning: "A dependency that must be there has no entry.",
    remedy: refresh,
  },
  "lock.edge-unsatisfied": {
    exit: 1,
    meaning: "An entry does not satisfy what asks for it, overrides of package.json included.",
    remedy: refresh,
  },
  "lock.override-conflict": {
    exit: 2,
    meaning: "package.json's overrides contradict its dependencies or refer to none.",
    remedy: "Correct the overrides, then refresh the lock.",
  },
  "lock.unloadable": {
    exit: 2,
    meaning: "npm's own reader cannot make a tree of the lock.",
    remedy: refresh,
  },
  "lock.alias-mismatch": {
    exit: 1,
    meaning: "The package at a location has another real name than what asks for it.",
    remedy: "Check for a substituted package, then refresh the lock.",
  },
  "lock.unreachable": {
    exit: 1,
    meaning: "Nothing asks for an entry.",
    remedy: refresh,
  },
  "lock.script-unacknowledged": {
    exit: 1,
    meaning: "A package has an install script that the definition does not acknowledge. It never runs.",
    remedy: "Find out what the script does, then list it under `installScripts` with what replaces it.",
  },
  "lock.acknowledgement-unused": {
    exit: 1,
    meaning: "An acknowledged install script belongs to no package of the lock.",
    remedy: "Remove the row from `installScripts`.",
  },
  "lock.hole": {
    exit: 1,
    meaning:
      "An optional dependency has no entry: npm dropped it silently, because it was never published or could not be fetched.",
    remedy:
      "Refresh the lock; if the package was never published, list it under `absent` with the target it would serve.",
  },
  "lock.absent-stale": {
    exit: 1,
    meaning: "A package listed under `absent` is not an optional dependency without an entry.",
    remedy: "Remove the row from `absent`.",
  },
  "lock.absent-for-target": {
    exit: 1,
    meaning: "A package that the target needs has no release, or the lock does not hold it (B13).",
    remedy: "Pin a version with a release for this target, or build another target.",
  },
  "lock.undeclared-target": {
    exit: 2,
    meaning: "The pack does not declare the target.",
    remedy: "Choose one of the definition's targets.",
  },
  "lock.platform-required": {
    exit: 1,
    meaning: "A package that must be there does not run on the target.",
    remedy: "Make the dependency optional, or drop the target.",
  },
  "lock.file-unowned": {
    exit: 1,
    meaning: "The definition names a file that lies in no package of the target.",
    remedy: "Correct the path, or add the package to package.json.",
  },
  "lock.command-claimed-twice": {
    exit: 1,
    meaning: "Two packages claim one declared command, and the definition's file is in neither.",
    remedy: "Find out which one is meant; remove the other, or name a file of the one that is.",
  },
  "lock.driven-missing": {
    exit: 1,
    meaning: "A bridge drives a package that the lock does not hold at the top (B3).",
    remedy: "Add the package to package.json's dependencies.",
  },
  "lock.second-copy": {
    exit: 1,
    meaning: "The lock holds a second copy of a CLI that a bridge drives (B3).",
    remedy: "Add an override that makes everyone use the pack's copy, then refresh the lock.",
  },
  "lock.bridge-missing": {
    exit: 1,
    meaning: "A bridge's package is not at the top of the lock.",
    remedy: "Add the package to package.json's dependencies.",
  },
  "lock.bridge-version": {
    exit: 1,
    meaning: "A bridge's pinned version is not the lock's (B3).",
    remedy: "Change both together.",
  },
  "lock.resolution-failed": {
    exit: 3,
    meaning: "npm's resolver could not resolve package.json.",
    remedy: "Check the network, the registry in npm's configuration and the versions in package.json.",
  },
  "lock.resolution-unstable": {
    exit: 1,
    meaning: "Two resolutions from a clean state gave different bytes (B6).",
    remedy: "Pin what moves exactly, or try again when the registry is quiet.",
  },
  "lock.write-failed": {
    exit: 3,
    meaning: "The lock and the pinned digest could not be written; both are as they were.",
    remedy: "Check permissions and space of the pack folder.",
  },
} as const satisfies ErrorTable;

export type LockCode = keyof typeof lockErrors;

export const lockError = errorsOf(lockErrors);
