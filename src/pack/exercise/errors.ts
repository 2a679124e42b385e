import { type ErrorTable, errorsOf } from "../../errors.ts";

/** What exercising an assembled pack can find (design 5). Exit 3: this machine could not exercise it. */
export const exerciseErrors = {
  "exercise.foreign-target": {
    exit: 2,
    meaning: "This machine cannot run the target's executables, so that they cannot be exercised.",
    remedy: "Build on a machine of the target, or pass --no-exercise: the pack then says release: false.",
  },
  "exercise.cannot-move": {
    exit: 3,
    meaning: "The assembled tree could not be renamed, so that it could not be exercised at another path.",
    remedy: "Choose an --out whose parent directory can be written.",
  },
  "exercise.network-not-cut": {
    exit: 3,
    meaning: "Commands would run with a network: this system lets sealpack neither cut it nor finds it cut.",
    remedy:
      "Allow unshare (a user namespace, or CAP_SYS_ADMIN in a container), build without a network (docker build --network none), or pass --allow-network.",
  },
  "exercise.cannot-drop-privileges": {
    exit: 3,
    meaning: "sealpack runs as root and has no setpriv to run the pack's commands as another user.",
    remedy: "Install util-linux, or build as an ordinary user.",
  },
  "exercise.cannot-enclose": {
    exit: 3,
    meaning: "The isolated place in which a command is exercised could not be made.",
    remedy: "The reason names the step; choose an --out on a local file system that allows execution.",
  },
  "exercise.tree-unreachable": {
    exit: 3,
    meaning: "The user who runs the pack's commands cannot reach the assembled tree.",
    remedy: "Choose an --out whose parent directories everybody can search, or allow unshare.",
  },
  "exercise.enclosure-lost": {
    exit: 3,
    meaning: "The isolated place of a command ended before the command's status was known.",
    remedy: "Check whether something on this machine kills processes (memory limits), and build again.",
  },
  "exercise.no-version": {
    exit: 1,
    meaning: "A command ended well and printed nothing, as a stub does.",
    remedy: "Declare the command's real executable, or the versionArgs that make it print its version.",
  },
  "exercise.wrong-version": {
    exit: 1,
    meaning: "A command printed another version than the declared one.",
    remedy: "Make the definition and the lock agree; the version is the whole line on stdout.",
  },
  "exercise.exit-status": {
    exit: 1,
    meaning: "A command that should print its version ended with an error.",
    remedy:
      "The last lines of its stderr say why; it ran with an empty environment, a fresh home and no network.",
  },
  "exercise.killed": {
    exit: 1,
    meaning: "A command that should print its version was ended by a signal.",
    remedy: "Check that the executable is the target's and that this machine's CPU has what it needs.",
  },
  "exercise.timeout": {
    exit: 1,
    meaning: "A command did not print its version in time.",
    remedy: "Check that it needs neither network nor terminal to print its version.",
  },
  "exercise.too-much-output": {
    exit: 1,
    meaning: "A command printed more than 1 MiB where one line was expected.",
    remedy: "Declare the versionArgs that make it print only its version.",
  },
  "exercise.package-manager-called": {
    exit: 1,
    meaning: "A command called a package manager, which could bring in what no lock pins.",
    remedy: "Set the command's environment so that it uses the pack's own copy of what it wanted to install.",
  },
  "exercise.process-left": {
    exit: 1,
    meaning: "A process that a command started outlived it and SIGTERM.",
    remedy: "Set the command's environment so that it starts no daemon; the process was killed.",
  },
  "exercise.interpreter-report": {
    exit: 1,
    meaning: "The pack's interpreter did not run with an empty environment, or did not say its versions.",
    remedy: "Declare a standalone Node for interpreter.path.",
  },
  "exercise.interpreter-version": {
    exit: 1,
    meaning: "The pack's interpreter is another version than the declared one.",
    remedy: "Make interpreter.version and the lock agree.",
  },
  "exercise.interpreter-minimum": {
    exit: 1,
    meaning: "The pack's interpreter is older than the declared minimum.",
    remedy: "Pin a newer interpreter.",
  },
  "exercise.undici-version": {
    exit: 1,
    meaning: "The undici bundled in the pack's interpreter is not the declared one.",
    remedy: "Correct interpreter.undici; it must be at least 7.29.1 (GHSA-3wwx-pv8p-q78v).",
  },
  "exercise.acp-no-answer": {
    exit: 1,
    meaning: "An ACP command ended before it answered.",
    remedy: "The last lines of its stderr say why; most often it cannot find its CLI.",
  },
  "exercise.acp-timeout": {
    exit: 1,
    meaning: "An ACP command did not answer in time.",
    remedy: "Check that it reaches its CLI inside the pack and needs no network before authentication.",
  },
  "exercise.acp-too-much-output": {
    exit: 1,
    meaning: "An ACP command printed more than 4 MiB before it answered.",
    remedy: "Check what it prints; its stdout carries ACP messages only.",
  },
  "exercise.acp-not-json": {
    exit: 1,
    meaning: "An ACP command printed a line on stdout that is not a JSON-RPC message.",
    remedy: "Its stdout carries ACP messages only; send logs to stderr.",
  },
  "exercise.acp-initialize": {
    exit: 1,
    meaning: "An ACP command answered initialize with an error or without protocol version 1.",
    remedy: "Pin a bridge that speaks ACP protocol version 1.",
  },
  "exercise.acp-session": {
    exit: 1,
    meaning:
      "An ACP command answered session/new with neither a session nor -32000 (authentication required).",
    remedy:
      "The error says why; most often the bridge cannot start its CLI from the path in its environment.",
  },
} as const satisfies ErrorTable;

export const exerciseError = errorsOf(exerciseErrors);
