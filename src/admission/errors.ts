import { type ErrorTable, errorsOf } from "../errors.ts";

const stage = "Let the controller stage its own pack, or provide an image with the pack of this release.";
const owner = "Install the pack as root, with modes 755 and 644, below directories that only root can write.";

/** Refusals and reasons of admission (A1 to A4, D7, B9). Findings of the pack itself have the codes of manifest and tree. */
export const admissionErrors = {
  "admission.bad-request": {
    exit: 2,
    meaning: "The request cannot be asked: a root, command or policy of no usable form.",
    remedy: "Name roots by absolute paths or as $HOME/…, and commands that the expected pack has.",
  },
  "admission.no-interpreter": {
    exit: 2,
    meaning: "The expected pack has no interpreter, which is what checks a pack in its sandbox.",
    remedy: "Declare an interpreter in the pack's definition.",
  },
  "admission.not-a-release": {
    exit: 1,
    meaning: "The expected manifest says release: false: dirty, unexercised or of an abbreviated revision.",
    remedy: "Build the pack from a clean checkout, exercised, and use that manifest.",
  },
  "admission.image-denied": {
    exit: 1,
    meaning: "The sandbox's image is on the list of images known to be bad (D7).",
    remedy: "Use another image.",
  },
  "admission.image-unknown": {
    exit: 1,
    meaning: "The lease does not say which image the sandbox runs, and the policy requires it.",
    remedy: "Pass the image, or leave requireImage out of the policy.",
  },
  "admission.privileged-user": {
    exit: 1,
    meaning: "The run's user is root or can become it, and the policy requires an unprivileged one.",
    remedy: "Run as a user without sudo, doas, capabilities or a writable Docker socket.",
  },
  "admission.privilege-unknown": {
    exit: 3,
    meaning:
      "Whether the run's user can become root could not be told, and the policy requires that it cannot.",
    remedy: "Give the sandbox a readable /proc/self/status.",
  },
  "admission.no-pack": { exit: 1, meaning: "No pack stands at a root.", remedy: stage },
  "admission.root-not-a-directory": {
    exit: 1,
    meaning: "A root is a symbolic link or no directory.",
    remedy: "Put the pack's directory itself there: a link can be turned elsewhere after it was checked.",
  },
  "admission.root-unreadable": {
    exit: 3,
    meaning: "A root cannot be entered, or a directory above it cannot be searched, by the run's user.",
    remedy: "Let the run's user search the directories down to the pack.",
  },
  "admission.no-home": {
    exit: 3,
    meaning: "A root stands in the home directory, and HOME is no absolute path on one line.",
    remedy: "Set HOME for the sandbox's user.",
  },
  "admission.not-sealed": {
    exit: 1,
    meaning: "A root holds no sealpack.json that is a regular file of at most 1 MiB.",
    remedy: stage,
  },
  "admission.manifest-unreadable": {
    exit: 3,
    meaning: "A root's sealpack.json cannot be read by the run's user.",
    remedy: "Let the run's user read the pack.",
  },
  "admission.other-pack": {
    exit: 1,
    meaning: "A root holds a pack with another manifest than the controller's.",
    remedy: stage,
  },
  "admission.pack-writable": {
    exit: 1,
    meaning: "Somebody else than root can write the pack, or a directory above it (A4).",
    remedy: owner,
  },
  "admission.writability-unknown": {
    exit: 3,
    meaning: "Who can write the pack could not be told.",
    remedy: "Give the sandbox ls (coreutils or busybox) in /usr/bin or /bin.",
  },
  "admission.no-such-interpreter": {
    exit: 1,
    meaning: "The pack's interpreter is absent or no executable regular file of a possible size.",
    remedy: stage,
  },
  "admission.interpreter-unreadable": {
    exit: 3,
    meaning: "The pack's interpreter cannot be read by the run's user.",
    remedy: "Let the run's user read the pack.",
  },
  "admission.interpreter-differs": {
    exit: 1,
    meaning: "The pack's interpreter has other bytes than the manifest says; it was not run.",
    remedy: stage,
  },
  "admission.verifier-failed": {
    exit: 3,
    meaning: "The verifier did not run to its end in the sandbox, though the interpreter is the right one.",
    remedy: "Check that the pack's file system allows execution, and that the sandbox has memory to spare.",
  },
  "admission.no-stage-root": {
    exit: 3,
    meaning: "No root is a place where the run's user can stage a pack.",
    remedy: "Give the run's user a writable home, or name a root that it can write.",
  },
  "admission.no-room": {
    exit: 3,
    meaning: "The file system has too little free space for a staged pack.",
    remedy: "Give the sandbox more space, or preinstall the pack.",
  },
  "admission.source-unsound": {
    exit: 1,
    meaning: "The controller's own pack directory does not hold what its manifest says.",
    remedy: "Build the pack again.",
  },
  "admission.staging-failed": {
    exit: 3,
    meaning: "A step of staging did not finish in the sandbox.",
    remedy: "Read what the step printed; run it again. Nothing half-made is ever admitted.",
  },
  "admission.staged-unsound": {
    exit: 1,
    meaning: "The staged tree is not the expected pack: something else writes to it.",
    remedy: "End whatever else runs as this user in the sandbox, or use a fresh one.",
  },
} as const satisfies ErrorTable;

export const admissionError = errorsOf(admissionErrors);

export type AdmissionCode = keyof typeof admissionErrors;
