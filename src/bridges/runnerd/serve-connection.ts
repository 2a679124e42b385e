import { isSealpackError } from "../../errors.ts";
import { bridgesError } from "../errors.ts";
import type { Guardian } from "../guardian/start-guardian.ts";
import { type Pack, verifyProgram } from "../pack-commands.ts";
import { buildMetadata } from "./build-metadata.ts";
import {
  type Frame,
  malformed,
  parseCredit,
  parseJsonPayload,
  parseStream,
  printJsonFrame,
} from "./frame.ts";
import { parseStart } from "./parse-start.ts";
import { type Run, type SignalName, signals, startRun } from "./start-run.ts";

export const protocolName = "paperclip-runner/prp/v1";
/** Rule R8. */
const maxRuns = 64;

/** One side of a connection, whatever carries it. */
export interface Channel {
  send(frame: Buffer): Promise<void>;
}

/** What a controller can do over one connection. Ending what it started is the guardian's affair. */
export interface Connection {
  /** A frame from the controller. What it does wrong with one run is answered; what it does wrong with the format is thrown. */
  accept(frame: Frame): Promise<void>;
}

export function serveConnection(pack: Pack, guardian: Guardian, channel: Channel): Connection {
  const runs = new Map<number, Run>();
  /** Every number that was used: one is never used twice, so that a late frame never reaches another run. */
  let highest = 0;
  let greeted = false;

  const greet = (frame: Frame): Promise<void> => {
    const { protocol, manifest } = parseJsonPayload(frame, ["protocol", "manifest"]);
    if (protocol !== protocolName) throw malformed(protocolName, JSON.stringify(protocol));
    if (manifest !== pack.manifest.digest) {
      const facts = { subject: "pack", expected: String(manifest).slice(0, 100), got: pack.manifest.digest };
      throw bridgesError("bridges.pack-differs", facts);
    }
    greeted = true;
    const { name, target } = pack.manifest.payload;
    const hello = {
      protocol: protocolName,
      build: buildMetadata,
      pack: { name, target, manifest: pack.manifest.digest },
    };
    return channel.send(printJsonFrame("hello", 0, hello));
  };
  const start = async (frame: Frame): Promise<void> => {
    const { command, args, cwd, env } = parseStart(frame);
    if (frame.run <= highest) throw refused(`a run number above ${highest}`, `${frame.run}`);
    if (runs.size >= maxRuns) throw refused(`at most ${maxRuns} runs at once`, "one more");
    highest = frame.run;
    const [executable, ...first] = verifyProgram(pack, command);
    const run = await startRun(
      { run: frame.run, executable, args: [...first, ...args], cwd, env },
      guardian,
      channel.send,
    );
    runs.set(frame.run, run);
    run.done.catch(() => {}).finally(() => runs.delete(frame.run));
  };
  /** A frame for a run that just ended is no mistake of the controller: it cannot know yet. */
  const forRun = (frame: Frame, act: (run: Run) => void): void => {
    const run = runs.get(frame.run);
    if (run !== undefined) act(run);
    else if (frame.run === 0 || frame.run > highest) throw refused("a run that was started", `${frame.run}`);
  };
  const act = async (frame: Frame): Promise<void> => {
    if (frame.type === "hello") return greet(frame);
    if (!greeted) throw malformed("hello first", frame.type);
    if (frame.type === "start") return start(frame);
    if (frame.type === "data") return forRun(frame, (run) => run.write(inputOf(frame)));
    if (frame.type === "end") return forRun(frame, (run) => [inputOf(frame), run.endInput()]);
    if (frame.type === "signal") return forRun(frame, (run) => run.signal(parseSignal(frame)));
    if (frame.type !== "credit") throw malformed("a frame that a controller sends", frame.type);
    const { stream, count } = parseCredit(frame);
    forRun(frame, (run) => run.addCredit(stream, count));
  };
  return {
    accept: async (frame) => {
      try {
        await act(frame);
      } catch (error) {
        if (!isSealpackError(error) || frame.run === 0 || error.code.startsWith("bridges.frame-"))
          throw error;
        const { code, message, remedy } = error;
        await channel.send(printJsonFrame("refused", frame.run, { code, message, remedy }));
      }
    },
  };
}

function inputOf(frame: Frame): Buffer {
  const { stream, bytes } = parseStream(frame);
  if (stream !== "stdin") throw malformed("data and end for stdin", stream);
  return bytes;
}

function parseSignal(frame: Frame): SignalName {
  const { signal } = parseJsonPayload(frame, ["signal"]);
  if (signals.includes(signal as SignalName)) return signal as SignalName;
  throw malformed(`one of ${signals.join(", ")}`, JSON.stringify(signal) ?? "none");
}

function refused(expected: string, got: string): Error {
  return bridgesError("bridges.run-refused", { subject: "run", expected, got });
}
