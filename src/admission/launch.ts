import type { Manifest } from "../manifest/types.ts";
import type { ProbeFacts } from "../sandbox/probe-facts.ts";
import { admissionError } from "./errors.ts";

/** By what variable a bridge finds a CLI, and what keeps a CLI from replacing itself, where it was not started by its launcher. */
const perCommand: Readonly<Record<string, (launcher: string) => Readonly<Record<string, string>>>> = {
  codex: (launcher) => ({ CODEX_PATH: launcher }),
  claude: (launcher) => ({
    CLAUDE_CODE_EXECUTABLE: launcher,
    DISABLE_AUTOUPDATER: "1",
    DISABLE_UPDATES: "1",
  }),
  opencode: () => ({ OPENCODE_DISABLE_AUTOUPDATE: "1" }),
};

/** @throws `admission.unknown-command` */
export function assertCommands(names: readonly string[], manifest: Manifest): void {
  const missing = names.find((name) => !Object.hasOwn(manifest.payload.commands, name));
  if (missing === undefined) return;
  throw admissionError("admission.bad-request", {
    subject: "commands",
    expected: `commands of the pack: ${Object.keys(manifest.payload.commands).join(", ")}`,
    got: JSON.stringify(missing.slice(0, 80)),
  });
}

/** Where each asked command's launcher stands in the admitted pack. */
export function toCommandPaths(
  root: string,
  names: readonly string[],
  manifest: Manifest,
): Readonly<Record<string, string>> {
  const { commands } = manifest.payload;
  return Object.fromEntries(names.map((name) => [name, `${root}/${commands[name]?.launcher.path}`]));
}

/** What a launch in the sandbox sets, on top of the sandbox's own environment. */
export function toLaunchEnvironment(
  root: string,
  manifest: Manifest,
  facts: ProbeFacts,
): Readonly<Record<string, string>> {
  const { commands } = manifest.payload;
  const directories = [
    ...new Set(
      Object.values(commands).map(({ launcher }) => launcher.path.slice(0, launcher.path.lastIndexOf("/"))),
    ),
  ];
  const path = [...directories.map((directory) => `${root}/${directory}`), ...toSafePath(facts.path)];
  const temporary = toTemporary(facts);
  return {
    PATH: path.join(":"),
    ...Object.assign(
      {},
      ...Object.entries(commands).map(([name, { launcher }]) =>
        perCommand[name]?.(`${root}/${launcher.path}`),
      ),
    ),
    ...(temporary === undefined ? {} : { TMPDIR: temporary }),
  };
}

/** The sandbox's PATH without what depends on the working directory. */
function toSafePath(path: string): string[] {
  return path.split(":").filter((entry) => entry.startsWith("/"));
}

/** The first writable directory that allows execution: some CLIs unpack helpers and run them. Undefined where none is known to. */
function toTemporary({ directories }: ProbeFacts): string | undefined {
  const { temp, cache, home } = directories;
  const fit = [temp, cache, home].find(({ state, exec }) => state === "ok" && exec === "yes");
  return fit?.tested;
}
