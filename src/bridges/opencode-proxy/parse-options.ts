import { parseArgs } from "node:util";
import { bridgesError } from "../errors.ts";
import { type Model, parseModel } from "./opencode-sessions.ts";
import type { TurnLimits } from "./run-turn.ts";

export interface ProxyOptions {
  /** Where sessions are kept from one bridge to the next; a temporary directory, deleted at the end, where it is absent. */
  readonly state?: string;
  /** An executable outside a pack, and the version that it must report: for qualifying a release before it is pinned. */
  readonly other?: { readonly executable: string; readonly version: string };
  readonly model?: Model;
  readonly startTimeout: number;
  readonly limits: TurnLimits;
}

const options = {
  "state-dir": { type: "string" },
  model: { type: "string" },
  opencode: { type: "string" },
  "opencode-version": { type: "string" },
  "start-timeout": { type: "string", default: "30" },
  "stall-timeout": { type: "string", default: "300" },
  retries: { type: "string", default: "5" },
} as const;

/** Times are given in seconds. @throws `bridges.usage`, `bridges.model-malformed` */
export function parseProxyOptions(args: readonly string[]): ProxyOptions {
  const { values } = parse(args);
  const { opencode, "opencode-version": version } = values;
  if ((opencode === undefined) !== (version === undefined))
    throw usage("--opencode and --opencode-version together");
  return {
    ...(values["state-dir"] === undefined ? {} : { state: values["state-dir"] }),
    ...(opencode === undefined || version === undefined ? {} : { other: { executable: opencode, version } }),
    ...(values.model === undefined ? {} : { model: parseModel(values.model) }),
    startTimeout: toNumber("--start-timeout", values["start-timeout"]) * 1000,
    limits: {
      stall: toNumber("--stall-timeout", values["stall-timeout"]) * 1000,
      retries: toNumber("--retries", values.retries),
    },
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false });
  } catch (cause) {
    throw usage((cause as Error).message, cause);
  }
}

function toNumber(name: string, text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw usage(`${name} as a whole number, not ${JSON.stringify(text)}`);
}

function usage(got: string, cause?: unknown): Error {
  return bridgesError("bridges.usage", {
    subject: "opencode-app-server-proxy",
    expected: "its own options",
    got,
    cause,
  });
}
