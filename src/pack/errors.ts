import { type ErrorTable, errorsOf } from "../errors.ts";

/** What can go wrong between a definition and a sealed pack. */
export const packErrors = {
  "pack.target-not-declared": {
    exit: 2,
    meaning: "The requested target is not in the definition's `targets`.",
    remedy: "Ask for a declared target, or declare this one in pack.yaml with its executables.",
  },
  "pack.target-unknown": {
    exit: 2,
    meaning: "This machine is none of the targets that sealpack knows, so there is no default.",
    remedy: "Name the target with --target.",
  },
  "pack.executable-not-declared": {
    exit: 2,
    meaning: "A command declares no executable for the requested target.",
    remedy: "Declare the command's executable for this target in pack.yaml, or build another target.",
  },
  "pack.revision-required": {
    exit: 2,
    meaning: "Git cannot be read here and no source revision was given.",
    remedy: "Give --source-revision <40 hex>, and --assert-clean if you vouch for the tree.",
  },
  "pack.revision-malformed": {
    exit: 2,
    meaning: "A source revision is 40 lowercase hex digits, or 7 to 39 for a build that is not a release.",
    remedy: "Give the full revision, as `git rev-parse HEAD` prints it.",
  },
  "pack.revision-abbreviated": {
    exit: 2,
    meaning: "An abbreviated source revision cannot name a release.",
    remedy: "Give all 40 digits, or --allow-dirty for a pack that admission refuses.",
  },
  "pack.revision-not-head": {
    exit: 2,
    meaning: "The given source revision is not the commit that is checked out.",
    remedy: "Check out that commit, or leave --source-revision out: HEAD is used.",
  },
  "pack.assert-clean-with-git": {
    exit: 2,
    meaning: "--assert-clean vouches for a tree that git cannot see; here git can see it.",
    remedy: "Leave --assert-clean out: git decides.",
  },
  "pack.dirty": {
    exit: 2,
    meaning: "An input of the pack differs from the commit that the manifest would name.",
    remedy: "Commit the changes, or give --allow-dirty for a pack that admission refuses.",
  },
  "pack.location-unexpected": {
    exit: 1,
    meaning: "A package stands in the unpacked tree where the lock has none.",
    remedy:
      "The parent package carries it in its archive without the lock saying so; do not use that release.",
  },
  "pack.location-missing": {
    exit: 1,
    meaning: "A package of the plan is not in the unpacked tree.",
    remedy: "A bundled package is missing from its parent's archive; refresh the lock.",
  },
  "pack.location-occupied": {
    exit: 1,
    meaning: "A package's archive brought files where another package of the lock belongs.",
    remedy: "Do not use that release: its archive writes into another package.",
  },
  "pack.identity": {
    exit: 1,
    meaning: "A package's own package.json names another package or version than the lock.",
    remedy: "The archive is not what the lock says; refresh the lock from a trusted registry.",
  },
  "pack.package-json-invalid": {
    exit: 1,
    meaning: "A package's package.json is missing, too large or not JSON.",
    remedy: "Do not use that release.",
  },
  "pack.install-script-unacknowledged": {
    exit: 1,
    meaning: "A package has an install script that the definition does not acknowledge. It was not run.",
    remedy: "Read the script, then list it under installScripts with what replaces it.",
  },
  "pack.install-script-changed": {
    exit: 1,
    meaning: "An install script is not the one that the definition acknowledges. It was not run.",
    remedy: "Read what changed, then acknowledge the new command and digest under installScripts.",
  },
  "pack.place-missing": {
    exit: 1,
    meaning: "A file to be placed is not in the tree.",
    remedy: "Correct `place` in pack.yaml: `from` must be a file of a package of the lock.",
  },
  "pack.place-occupied": {
    exit: 1,
    meaning: "A file stands where another one is to be placed, and the definition does not replace it.",
    remedy: "Name the SHA-256 of the file it may replace under `replaces`.",
  },
  "pack.place-replaces-other": {
    exit: 1,
    meaning: "The file to be replaced is not the one that the definition names.",
    remedy: "Read the new file, then put its SHA-256 under `replaces`.",
  },
  "pack.patch-digest": {
    exit: 1,
    meaning: "A patch file is not the one that the definition pins.",
    remedy: "Review the patch and pin its SHA-256.",
  },
  "pack.patch-failed": {
    exit: 1,
    meaning: "A patch does not apply exactly.",
    remedy: "Make the patch anew against the pinned version.",
  },
  "pack.executable-missing": {
    exit: 1,
    meaning: "A declared executable, entry script or interpreter is not in the tree.",
    remedy: "Correct its path in pack.yaml, or check that `omit` does not remove it.",
  },
  "pack.executable-digest": {
    exit: 1,
    meaning: "A declared executable's bytes are not the pinned ones.",
    remedy: "Pin the SHA-256 of the release that you qualified.",
  },
  "pack.lock-path-taken": {
    exit: 1,
    meaning: "A file of the pack would overwrite another one.",
    remedy: "Keep the root's package.json and lock, node_modules/.bin and dist free of other files.",
  },
  "pack.secrets-found": {
    exit: 1,
    meaning: "Something that looks like a credential is in the tree.",
    remedy: "Remove it at its source. Nothing was sealed.",
  },
  "pack.changed-while-exercised": {
    exit: 1,
    meaning: "A command changed the pack while it was exercised.",
    remedy: "Find the command that writes into its own folder; switch that off in its declared env.",
  },
  "pack.bridge-missing": {
    exit: 1,
    meaning: "A bridge's package is not in this target's tree.",
    remedy: "Correct `bridges` in pack.yaml, or the lock.",
  },
  "pack.output-unsafe": {
    exit: 2,
    meaning:
      "The output is a place that a build must never replace: a root, a home, a repository, or the pack's own folder.",
    remedy: "Name a directory of its own, such as out/<name>-<target>.",
  },
  "pack.output-is-link": {
    exit: 2,
    meaning: "The output is a symbolic link; replacing it would leave its target behind.",
    remedy: "Name the directory itself.",
  },
  "pack.output-not-a-pack": {
    exit: 2,
    meaning: "The output exists and is not a pack, or holds files that no build made.",
    remedy: "Move it away or name another output; it was left as it is.",
  },
  "pack.output-on-other-device": {
    exit: 2,
    meaning: "The output is a mount point, so a new pack cannot be renamed over it.",
    remedy: "Name a directory below the mount point.",
  },
  "pack.output-locked": {
    exit: 3,
    meaning: "Another build is putting its pack into this output and did not finish in time.",
    remedy: "Wait for it, then build again.",
  },
  "pack.interrupted-swap": {
    exit: 3,
    meaning: "A build was killed while it replaced this pack; the old pack stands beside it, whole.",
    remedy: "Run the build again, or rename the old pack back.",
  },
  "pack.not-found": {
    exit: 3,
    meaning: "There is no pack at this path.",
    remedy: "Name the directory that holds sealpack.json.",
  },
  "pack.no-space": {
    exit: 3,
    meaning: "The disk is full. The previous output is untouched.",
    remedy: "Free space where the output is written, then build again.",
  },
  "pack.not-writable": {
    exit: 3,
    meaning: "The output or the cache cannot be written. The previous output is untouched.",
    remedy: "Name a writable --out or --cache.",
  },
  "pack.io": {
    exit: 3,
    meaning: "The system refused a file operation. The previous output is untouched.",
    remedy: "See the cause; nothing was sealed.",
  },
} as const satisfies ErrorTable;

export const packError = errorsOf(packErrors);
