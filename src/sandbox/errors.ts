import { type ErrorTable, errorsOf } from "../errors.ts";

const owner = "The sandbox's owner provides it: see docs/sandbox.md.";

/** Failures of talking to a sandbox, and the findings of its contract (S1 to S7). */
export const sandboxErrors = {
  "sandbox.bad-target": {
    exit: 2,
    meaning: "The target does not name a sandbox.",
    remedy: "Write docker:<container> or ssh:[user@]<host>[:port].",
  },
  "sandbox.bad-command": {
    exit: 2,
    meaning: "A command, argument, variable name or path cannot be carried to a sandbox.",
    remedy:
      "Remove NUL bytes; name variables with letters, digits and underscores; give a positive time limit.",
  },
  "sandbox.unsupported": {
    exit: 2,
    meaning: "The command needs something that this sandbox's driver cannot carry.",
    remedy: "Use a driver with that capability, or leave it out.",
  },
  "sandbox.stdin-not-text": {
    exit: 2,
    meaning: "This sandbox's driver carries text on stdin, and the input is not valid UTF-8.",
    remedy: "Encode the input, for example as base64.",
  },
  "sandbox.command-too-long": {
    exit: 2,
    meaning: "The command's sent form is longer than the driver carries.",
    remedy: "Send the data on stdin or in several commands.",
  },
  "sandbox.bad-shell": {
    exit: 2,
    meaning: "A provider declares a shell that is not bash, sh or null.",
    remedy: 'Declare shellCommand "bash" or "sh", or leave it out for sh.',
  },
  "sandbox.bad-lease": {
    exit: 2,
    meaning: "Lease metadata is not an object of plain data.",
    remedy: "Pass the provider's metadata as a JSON object.",
  },
  "sandbox.no-client": {
    exit: 3,
    meaning: "The transport's client program is not on this host.",
    remedy: "Install the client (docker or ssh) and put it on PATH.",
  },
  "sandbox.not-reached": {
    exit: 3,
    meaning: "The command never began in the sandbox.",
    remedy: "Check that the sandbox runs, that the client may reach it, and that it has /bin/sh.",
  },
  "sandbox.no-decoder": {
    exit: 3,
    meaning: "The sandbox has no tool that decodes base64, so that no command can be handed over.",
    remedy: "Provide base64 (coreutils or busybox) or openssl in /usr/bin or /bin.",
  },
  "sandbox.bad-cwd": {
    exit: 3,
    meaning: "The command's working directory cannot be entered in the sandbox.",
    remedy: "Create the directory in the sandbox and let its user enter it.",
  },
  "sandbox.ended-early": {
    exit: 3,
    meaning: "The command began, and the transport ended before the command's end was reported.",
    remedy:
      "Check whether the sandbox was stopped or the connection was cut; the command may have had effects.",
  },
  "sandbox.aborted": {
    exit: 3,
    meaning: "The caller gave the command up.",
    remedy: "Run it again when it is wanted.",
  },
  "sandbox.upload-failed": {
    exit: 3,
    meaning: "The driver could not write a file into the sandbox.",
    remedy: "Check the path's directory, its permissions and the free space in the sandbox.",
  },
  "sandbox.bad-reply": {
    exit: 3,
    meaning: "A driver's answer does not have the shape that its interface promises.",
    remedy: "Check the version of the provider's SDK against docs/sandbox.md.",
  },
  "sandbox.script-exhausted": {
    exit: 3,
    meaning: "A scripted sandbox was given a command that its script does not foresee.",
    remedy: "Add a step to the script.",
  },
  "sandbox.no-answer": {
    exit: 3,
    meaning: "The sandbox's answer is not between its marks.",
    remedy: "Look at the sandbox's own output; a shell that ends before the command prints none.",
  },
  "sandbox.answer-too-long": {
    exit: 3,
    meaning: "The sandbox's answer is longer than 64 KiB.",
    remedy: "Look for an oversized PATH or variable in the sandbox.",
  },
  "sandbox.answer-malformed": {
    exit: 3,
    meaning: "The sandbox's answer is between its marks, and is not what was asked for.",
    remedy:
      "The sandbox, or something that writes to its output, does not follow the protocol: do not use it.",
  },
  "sandbox.service-not-ready": {
    exit: 3,
    meaning: "A service was started in the sandbox and its readiness probe did not succeed in time.",
    remedy: "Read the end of the service's log in the details.",
  },
  "sandbox.service-not-started": {
    exit: 3,
    meaning: "The command that starts a service in the sandbox failed.",
    remedy: "Check that the sandbox has a writable temporary directory and the chosen shell.",
  },
  "sandbox.service-not-stopped": {
    exit: 3,
    meaning: "A service in the sandbox was told to stop and could not be shown to have stopped.",
    remedy: "Look for its processes in the sandbox, or end the sandbox.",
  },
  "sandbox.unknown-fact": {
    exit: 3,
    meaning: "A fact that the contract requires could not be told.",
    remedy: "Give the sandbox the usual base tools (rm, chmod, df, grep) in /usr/bin or /bin.",
  },
  "sandbox.command-missing": {
    exit: 1,
    meaning: "A command is not on the sandbox's PATH (S1, S4).",
    remedy: owner,
  },
  "sandbox.command-not-path": {
    exit: 1,
    meaning:
      "`command -v` answers with something that is not an absolute path: an alias, a function or a relative PATH entry.",
    remedy: "Put the executable itself into a directory that PATH names by an absolute path.",
  },
  "sandbox.node-broken": {
    exit: 1,
    meaning: "The first node on PATH does not print a Node version.",
    remedy: "Remove it from PATH or put the real node before it.",
  },
  "sandbox.command-shadowed": {
    exit: 1,
    meaning: "Another executable of the same name stands later on PATH (advisory).",
    remedy: "Remove the one that is not meant.",
  },
  "sandbox.relative-path-entry": {
    exit: 1,
    meaning: "PATH has an empty or relative entry: what runs depends on the working directory (advisory).",
    remedy: "Name directories on PATH by absolute paths only.",
  },
  "sandbox.no-shell": { exit: 1, meaning: "The declared shell is not on PATH (S3).", remedy: owner },
  "sandbox.no-tar": { exit: 1, meaning: "tar is not on PATH (S2).", remedy: owner },
  "sandbox.tar-broken": {
    exit: 1,
    meaning: "The tar on PATH cannot write an archive and list it again (S2).",
    remedy: owner,
  },
  "sandbox.no-home": {
    exit: 1,
    meaning: "HOME is not set to an absolute path (S2).",
    remedy: "Set HOME for the sandbox's user.",
  },
  "sandbox.not-writable": {
    exit: 1,
    meaning:
      "A required directory is not really writable: a file could not be written, read back and removed (S2).",
    remedy: "Make the directory writable for the sandbox's user.",
  },
  "sandbox.no-exec": {
    exit: 1,
    meaning: "A directory does not allow execution (advisory).",
    remedy: "Mount it without noexec, or name another TMPDIR for CLIs that unpack and run helpers.",
  },
  "sandbox.no-hash-tool": {
    exit: 3,
    meaning: "The base system has no working SHA-256 tool, so that no pack in the sandbox can be checked.",
    remedy: "Provide openssl, sha256sum, busybox or shasum in /usr/bin or /bin.",
  },
  "sandbox.wrong-platform": {
    exit: 1,
    meaning: "The sandbox's system or processor is not the pack's target.",
    remedy: "Use a pack that was built for this sandbox's platform.",
  },
  "sandbox.no-elf-interpreter": {
    exit: 1,
    meaning: "The dynamic loader that the pack's executables name is not there.",
    remedy: "Use an image with that libc, or a pack that was built for the image's libc.",
  },
  "sandbox.old-glibc": {
    exit: 1,
    meaning: "The sandbox's glibc is older than the pack's executables need.",
    remedy: "Use a newer base image.",
  },
  "sandbox.old-libstdcxx": {
    exit: 1,
    meaning: "The sandbox's libstdc++ is older than the pack's executables need, or missing.",
    remedy: "Install a newer libstdc++6 or use a newer base image.",
  },
  "sandbox.missing-library": {
    exit: 1,
    meaning: "A shared library that the pack's executables need is not in the system's library directories.",
    remedy: "Install the package that brings it.",
  },
  "sandbox.missing-cpu-feature": {
    exit: 1,
    meaning: "The sandbox's processor lacks a feature that the pack's executables need.",
    remedy: "Run the sandbox on a processor that has it.",
  },
  "sandbox.no-space": {
    exit: 1,
    meaning: "The home directory has less free space than a copy of the pack needs (advisory).",
    remedy: "Give the sandbox more space, or preinstall the pack.",
  },
  "sandbox.can-become-root": {
    exit: 1,
    meaning:
      "The sandbox's user is root or can become it: a pack in a reused sandbox is not protected from it (advisory).",
    remedy: "Run as an unprivileged user without sudo, or use every sandbox once.",
  },
} as const satisfies ErrorTable;

export const sandboxError = errorsOf(sandboxErrors);
