#!/usr/bin/env node
import { homedir } from "node:os";
import { runCli } from "./run-cli.ts";

const interrupt = new AbortController();
let received: NodeJS.Signals | undefined;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => {
    received = signal;
    interrupt.abort();
  });
}
// A closed pipe (`sealpack inspect | head`) is the reader's choice and no failure of ours.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

process.exitCode = await runCli(process.argv.slice(2), {
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  env: process.env,
  cwd: process.cwd(),
  home: process.env.HOME ?? homedir(),
  isTerminal: process.stderr.isTTY === true,
  signal: interrupt.signal,
});
// Dies of the signal that it cleaned up after, so that the caller sees one.
if (received !== undefined) process.kill(process.pid, received);
