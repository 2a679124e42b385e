import { type ErrorTable, errorsOf } from "../../errors.ts";

/** Why a vendored folder could not be filled, or what was found in one. */
export const vendorErrors = {
  "vendor.not-ours": {
    exit: 2,
    meaning: "The folder to fill holds files that no fetch has put there.",
    remedy: "Name an empty folder, or one that an earlier `sealpack fetch` has filled.",
  },
  "vendor.archive-unreachable": {
    exit: 3,
    meaning: "A fleet archive could not be downloaded and was neither given by file nor left out by name.",
    remedy: "Give it with --archive <name>=<file>, or leave it out with --without <name>.",
  },
  "vendor.archive-digest": {
    exit: 1,
    meaning: "A fleet archive does not have the SHA-256 that fleet.yaml pins. It was not kept.",
    remedy: "Check where it comes from; change the pin only for a release that you have reviewed.",
  },
  "vendor.archive-unknown": {
    exit: 2,
    meaning: "An option names a fleet archive that fleet.yaml does not declare.",
    remedy: "Name one that fleet.yaml declares.",
  },
  "vendor.archive-missing": {
    exit: 1,
    meaning: "A fleet archive is not in the vendored folder and was not left out by name.",
    remedy: "Run `sealpack fetch` again, or leave it out by name in fetch and in the build.",
  },
  "vendor.command-missing": {
    exit: 1,
    meaning: "A fleet archive lacks the executable that fleet.yaml declares for a command.",
    remedy: "Correct the command's path in fleet.yaml.",
  },
  "vendor.cache-digest": {
    exit: 1,
    meaning: "A cached archive no longer has the digest that the lock pins.",
    remedy: "Remove it from the cache and run the command again.",
  },
  "vendor.no-interpreter": {
    exit: 2,
    meaning:
      "The pack declares no interpreter that comes from one of its packages, so that nothing can run the tool in the build.",
    remedy: "Declare `interpreter` in pack.yaml, and a `place` from a package to its path.",
  },
  "vendor.no-bundler": {
    exit: 2,
    meaning: "The pack's lock does not hold the bundler that its bridges are compiled by.",
    remedy: "Keep esbuild in the pack's graph, at the version that sealpack has.",
  },
  "vendor.no-tool": {
    exit: 3,
    meaning: "The tool could not be bundled into one file, or an installed sealpack lacks its bundle.",
    remedy: "Run from a checkout after `npm ci`, or install a released sealpack.",
  },
  "vendor.tool-stale": {
    exit: 1,
    meaning: "The vendored tool or runnerd is not the bundle of the sources that the content ID counts.",
    remedy: "Run `sealpack fetch` again from these sources.",
  },
} as const satisfies ErrorTable;

export const vendorError = errorsOf(vendorErrors);
