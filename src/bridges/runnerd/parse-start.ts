import { type Frame, malformed, parseJsonPayload } from "./frame.ts";

export interface Start {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The payload of a `start` frame (rule R9). The environment is what the controller gives, and of runnerd's own only
 * what it asks for by name in `inherit`.
 * @throws `bridges.frame-malformed`
 */
export function parseStart(frame: Frame): Start {
  const {
    command,
    args = [],
    cwd,
    env = {},
    inherit = [],
  } = parseJsonPayload(frame, ["command", "args", "cwd", "env", "inherit"]);
  if (!isText(command)) throw wrong("command");
  if (!isTexts(args)) throw wrong("args");
  if (!isText(cwd) || !cwd.startsWith("/")) throw wrong("cwd");
  if (!isTexts(inherit)) throw wrong("inherit");
  if (
    typeof env !== "object" ||
    env === null ||
    !isTexts(Object.values(env)) ||
    !Object.keys(env).every(isName)
  ) {
    throw wrong("env");
  }
  return { command, args, cwd, env: { ...pick(inherit), ...(env as Record<string, string>) } };
}

function pick(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name] ?? ""]])),
  );
}

function isText(value: unknown): value is string {
  return typeof value === "string" && !value.includes("\0");
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}

function isName(name: string): boolean {
  return /^[^=\0]+$/.test(name);
}

function wrong(key: string): Error {
  return malformed(`start with ${key} as the format has it`, "another value");
}
