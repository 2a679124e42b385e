#!/usr/bin/env node
import { homedir } from "node:os";
import { isAbsolute } from "node:path";
import { cliError } from "./errors.ts";
import type { Exit, Io } from "./io.ts";
import { printFailure } from "./print-failure.ts";
import { runCli } from "./run-cli.ts";

let interrupt: AbortController | undefined;
let received: NodeJS.Signals | undefined;
let outputFailure: NodeJS.ErrnoException | undefined;

const io: Io = {
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  env: process.env,
  // Asked only by commands that need them: neither exists everywhere (a removed directory, a uid without an account).
  get cwd() {
    return process.cwd();
  },
  get home() {
    return readHome();
  },
  isTerminal: process.stderr.isTTY === true,
  // A command that has something to clean up asks for this; any other dies of a signal at once, as it should.
  get signal() {
    interrupt ??= catchSignals();
    return interrupt.signal;
  },
};

function readHome(): string | undefined {
  const home = process.env.HOME;
  if (home !== undefined && isAbsolute(home)) return home;
  try {
    return homedir() || undefined;
  } catch {
    return undefined;
  }
}

/** The second signal finds no handler and ends the process at once. */
function catchSignals(): AbortController {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      received = signal;
      controller.abort();
    });
  }
  return controller;
}

// A closed pipe (`sealpack inspect | head`) is the reader's choice; output that went nowhere else is a failure.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") outputFailure ??= error;
  });
}

const exit = await runCli(process.argv.slice(2), io);
await new Promise((resolve) => setImmediate(resolve));
process.exitCode = outputFailure === undefined ? exit : reportOutputFailure(outputFailure);
// Dies of the signal that it cleaned up after, so that the caller sees one.
if (received !== undefined) process.kill(process.pid, received);

function reportOutputFailure(cause: NodeJS.ErrnoException): Exit {
  const facts = {
    subject: "output",
    expected: "to be written whole",
    got: cause.code ?? cause.message,
    cause,
  };
  return printFailure(cliError("cli.output", facts), { json: false, io });
}
