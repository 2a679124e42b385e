import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { bridgesError } from "../errors.ts";
import { type Guardian, startGuardian } from "../guardian/start-guardian.ts";
import { findPack, readPack } from "../pack-commands.ts";
import { runBridge } from "../run-bridge.ts";
import { createHost } from "./create-host.ts";
import { serveLines } from "./serve-lines.ts";

/** Hosts acpx for one session at a time, over lines of JSON on stdio. */
runBridge(async (args, program, ended) => {
  const options = parseOptions(args);
  const pack = options.pack === undefined ? findPack(program) : readPack(realpathSync(options.pack));
  const guardian = await startGuardian(program);
  try {
    // acpx starts the agent itself, with this process's environment.
    Object.assign(process.env, guardian.env);
    const state = prepareState(options["state-dir"], guardian);
    const served = serveLines(process.stdin, process.stdout, (emit) => createHost(pack, state, emit));
    await Promise.race([served, ended, guardian.lost]);
  } finally {
    await guardian.end();
  }
});

function parseOptions(args: readonly string[]): { readonly pack?: string; readonly "state-dir"?: string } {
  const options = { pack: { type: "string" }, "state-dir": { type: "string" } } as const;
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
  } catch (cause) {
    const got = (cause as Error).message;
    throw bridgesError("bridges.usage", {
      subject: "acpx-runtime-sidecar",
      expected: "its own options",
      got,
      cause,
    });
  }
}

function prepareState(given: string | undefined, guardian: Guardian): string {
  if (given !== undefined) {
    mkdirSync(given, { recursive: true, mode: 0o700 });
    return realpathSync(resolve(given));
  }
  const state = realpathSync(mkdtempSync(join(tmpdir(), "acpx-sidecar-")));
  guardian.remove(state);
  return state;
}
