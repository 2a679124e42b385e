import { type ErrorTable, errorsOf } from "../errors.ts";

/** What can keep an executable or a bridge from qualifying. */
export const qualifyErrors = {
  "qualify.subject-unknown": {
    exit: 2,
    meaning: "There is no such thing to qualify.",
    remedy: "Name opencode, claude-agent-acp, codex-acp, acpx or all.",
  },
  "qualify.timeout-malformed": {
    exit: 2,
    meaning: "The time for a step is not a number of seconds.",
    remedy: "Give a whole number of seconds above 0.",
  },
  "qualify.subject-missing": {
    exit: 1,
    meaning: "The pack does not hold what is to be qualified.",
    remedy: "Declare the command or the bridge in pack.yaml and build the pack again.",
  },
  "qualify.pack-differs": {
    exit: 1,
    meaning: "The pack is not the one that its manifest binds, so nothing in it is worth qualifying.",
    remedy: "Run `sealpack verify` for all findings; build or stage the pack again.",
  },
  "qualify.answer": {
    exit: 1,
    meaning: "A real executable answered otherwise than it must.",
    remedy: "Read what was expected and what came; do not release this combination of versions.",
  },
  "qualify.no-answer": {
    exit: 1,
    meaning: "A real executable did not answer in time.",
    remedy: "Read the end of its output in the message; a loaded machine may need --timeout.",
  },
  "qualify.request": {
    exit: 1,
    meaning:
      "A request reached the mock provider that it does not expect: a route, a header or a key of the body.",
    remedy: "See whether the CLI's new release asks for more; extend the mock only for what is harmless.",
  },
  "qualify.left-loopback": {
    exit: 1,
    meaning: "Something asked the proxy for a host outside loopback.",
    remedy: "Find the setting that switches it off, and declare it in pack.yaml.",
  },
  "qualify.left-behind": {
    exit: 1,
    meaning: "A process, a port or a file outside its own directory was left.",
    remedy: "The bridge does not clean up after itself: do not release it.",
  },
  "qualify.foreign-executable": {
    exit: 1,
    meaning: "A bridge ran a CLI that is not the pack's.",
    remedy: "Declare the environment that makes the bridge use the pack's own CLI.",
  },
} as const satisfies ErrorTable;

export const qualifyError = errorsOf(qualifyErrors);
