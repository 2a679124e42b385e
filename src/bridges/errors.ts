import { type ErrorTable, errorsOf } from "../errors.ts";

/** What can go wrong in the programs that run inside a pack. */
export const bridgesErrors = {
  "bridges.usage": {
    exit: 2,
    meaning: "A bridge was started with arguments that it does not know.",
    remedy: "See docs/bridges.md and docs/runnerd.md for what it takes.",
  },
  "bridges.guardian-lost": {
    exit: 3,
    meaning: "The process that ends what a bridge started ended first, so nothing may go on running.",
    remedy: "See who ends processes in this sandbox (the memory limit?), then start the bridge again.",
  },
  "bridges.pack-not-found": {
    exit: 3,
    meaning: "A bridge runs only from a sealed pack, and found none around itself.",
    remedy: "Start it from its path in a sealed pack, dist/…, or name the pack.",
  },
  "bridges.pack-differs": {
    exit: 1,
    meaning: "The pack is not the one that its manifest binds, or not the one that the controller means.",
    remedy: "Stage the controller's own pack, then start again.",
  },
  "bridges.command-unknown": {
    exit: 2,
    meaning: "The pack's manifest declares no such command.",
    remedy: "Ask for a command of the pack's manifest; a CLI outside the pack is never started.",
  },
  "bridges.command-differs": {
    exit: 1,
    meaning: "A file of a command is not the one that the manifest binds.",
    remedy: "The pack was changed after it was sealed: stage it again.",
  },
  "bridges.file-unreadable": {
    exit: 3,
    meaning: "A file that must be checked before it is started could not be read.",
    remedy: "Make the pack readable for the run's user, or stage it again.",
  },
  "bridges.opencode-not-started": {
    exit: 3,
    meaning: "OpenCode's server ended, or said nothing usable, before it was ready.",
    remedy: "Read the end of its output in the message; run `opencode serve` of the pack by hand.",
  },
  "bridges.opencode-start-timeout": {
    exit: 3,
    meaning: "OpenCode's server was not ready in time.",
    remedy: "Give it longer with --start-timeout, or see what keeps the sandbox busy.",
  },
  "bridges.opencode-version": {
    exit: 1,
    meaning: "The server that answered is not the version that the pack declares.",
    remedy: "Stage the pack again; another executable answers in OpenCode's place.",
  },
  "bridges.opencode-unprotected": {
    exit: 1,
    meaning: "OpenCode's server answers without the password, so that anyone in the sandbox could drive it.",
    remedy: "Do not use this OpenCode with this bridge; its password variable has changed.",
  },
  "bridges.opencode-ended": {
    exit: 3,
    meaning: "OpenCode ended while a session was open.",
    remedy: "Read the end of its output in the message, then load the session in a new bridge.",
  },
  "bridges.opencode-request": {
    exit: 3,
    meaning: "OpenCode's HTTP interface refused a request or broke off its answer.",
    remedy: "Read the status and the body in the message; the bridge and OpenCode may not fit together.",
  },
  "bridges.opencode-events": {
    exit: 3,
    meaning: "OpenCode's event stream ended or held something that is not an event.",
    remedy: "Load the session in a new bridge; report the event if it happens again.",
  },
  "bridges.session-unknown": {
    exit: 2,
    meaning: "The session was not made or loaded over this connection, or OpenCode does not know it.",
    remedy: "Create the session, or load it from the state directory that it was created in.",
  },
  "bridges.session-busy": {
    exit: 2,
    meaning: "A session takes one prompt at a time.",
    remedy: "Wait for the answer, or cancel it.",
  },
  "bridges.provider-failed": {
    exit: 3,
    meaning: "The model's provider refused the request or answered with an error.",
    remedy: "Read the provider's message; check the model, the key and the provider's address.",
  },
  "bridges.provider-retries": {
    exit: 3,
    meaning: "The model's provider went on failing, and OpenCode would try for ever.",
    remedy: "Try again later, or allow more attempts with --retries.",
  },
  "bridges.provider-stalled": {
    exit: 3,
    meaning: "Nothing came from the model for too long while nothing else was running.",
    remedy: "Try again, or allow longer silences with --stall-timeout.",
  },
  "bridges.model-malformed": {
    exit: 2,
    meaning: "A model is named as provider/model.",
    remedy: "Name it like anthropic/claude-sonnet-4-5.",
  },
  "bridges.frame-malformed": {
    exit: 2,
    meaning: "A frame does not follow the frame format.",
    remedy: "See the numbered rules in docs/bridges.md and docs/runnerd.md.",
  },
  "bridges.frame-too-large": {
    exit: 2,
    meaning: "A frame is larger than the format allows.",
    remedy: "Send it in parts.",
  },
  "bridges.profile-mismatch": {
    exit: 1,
    meaning: "The profile that the controller asks for is not what the pack holds.",
    remedy: "Use the controller's own manifest for the profile, and stage its pack.",
  },
  "bridges.sidecar-busy": {
    exit: 2,
    meaning: "A sidecar hosts one session at a time and one prompt at a time.",
    remedy: "Close the session first, or start another sidecar.",
  },
  "bridges.sidecar-no-session": {
    exit: 2,
    meaning: "The request needs an open session.",
    remedy: "Send `open` first.",
  },
  "bridges.agent-failed": {
    exit: 3,
    meaning: "The agent refused, failed or ended.",
    remedy: "Read the agent's message; check its credentials and its provider.",
  },
  "bridges.grok-not-declared": {
    exit: 3,
    meaning:
      "The pack's manifest declares no prerequisite for Grok, so there is no digest to hold one against.",
    remedy: "Declare path, version and digest under `prerequisites` in pack.yaml, and build the pack again.",
  },
  "bridges.grok-missing": {
    exit: 3,
    meaning: "The Grok executable that the sandbox's owner provides is not there.",
    remedy: "Provision it at exactly this path with exactly this digest; a pack never brings it.",
  },
  "bridges.grok-differs": {
    exit: 1,
    meaning: "The Grok executable is not the one that was reviewed.",
    remedy: "Provision the pinned release again; the `grok` on PATH is another one and is never used.",
  },
  "bridges.grok-cannot-check": {
    exit: 3,
    meaning: "The Grok executable could not be read, so it is not started.",
    remedy: "Make it readable and executable for the run's user.",
  },
  "bridges.ticket-missing": {
    exit: 2,
    meaning: "runnerd needs a ticket and found none.",
    remedy:
      "Give it in PAPERCLIP_RUNNERD_TICKET or on the descriptor named by --ticket-fd; never on the command line.",
  },
  "bridges.ticket-refused": {
    exit: 1,
    meaning: "The peer did not accept the ticket, or did not present ours.",
    remedy: "Ask the controller for a fresh ticket.",
  },
  "bridges.address-not-loopback": {
    exit: 2,
    meaning: "This transport may only reach the same machine.",
    remedy: "Use 127.0.0.1 or [::1], or dial wss:// with a CA bundle.",
  },
  "bridges.address-malformed": {
    exit: 2,
    meaning: "The address is not one that this transport takes.",
    remedy:
      "Give ws://127.0.0.1:<port>/<path> or wss://<host>[:<port>]/<path>, without user, query or fragment.",
  },
  "bridges.certificate-refused": {
    exit: 1,
    meaning: "The controller's certificate does not verify against the given CA bundle.",
    remedy: "Give the CA bundle that issued it, and dial the name that it is for.",
  },
  "bridges.ca-unreadable": {
    exit: 2,
    meaning: "The CA bundle could not be read or holds no certificate.",
    remedy: "Give a file of PEM certificates.",
  },
  "bridges.connection-failed": {
    exit: 3,
    meaning: "The connection to the controller could not be made.",
    remedy: "Check that the controller listens there and that the sandbox may reach it.",
  },
  "bridges.connection-lost": {
    exit: 3,
    meaning: "The connection broke, and everything that it had started was ended.",
    remedy: "Connect again; nothing is resumed.",
  },
  "bridges.connection-silent": {
    exit: 3,
    meaning: "The other side answers no ping: the connection is half open.",
    remedy: "Check the network between controller and sandbox.",
  },
  "bridges.listen-failed": {
    exit: 3,
    meaning: "The address could not be listened on.",
    remedy: "Choose another port, or 0 for a free one.",
  },
  "bridges.run-refused": {
    exit: 2,
    meaning: "A start, signal or credit does not fit what is running.",
    remedy: "See the numbered rules in docs/runnerd.md.",
  },
  "bridges.spawn-failed": {
    exit: 3,
    meaning: "The system did not start the process.",
    remedy: "Read the system's reason; check the working directory and the executable's mode.",
  },
} as const satisfies ErrorTable;

export const bridgesError = errorsOf(bridgesErrors);
