import { createHash } from "node:crypto";
import { join } from "node:path";
import { printJson } from "../../manifest/print-json.ts";
import type { ManifestFile, Payload } from "../../manifest/types.ts";
import { bridgesError } from "../errors.ts";
import { type Pack, verifyCommand, verifyFiles } from "../pack-commands.ts";

/** What a controller, from its own manifest, says that an agent is. */
export interface Profile {
  /** What acpx calls the agent: `claude`, `codex`, `opencode`. */
  readonly agent: string;
  /** The package that the agent's program comes from; for a compiled bridge its name in the manifest. */
  readonly package: string;
  readonly version: string;
  /** A command of the manifest, or a compiled bridge. */
  readonly command: string;
  /** `sha256:` and 64 hex over the four fields above and the files that are started, from the manifest (rule P2). */
  readonly digest: string;
}

/** What stands behind a command's name in a manifest. */
interface Program {
  readonly package: string;
  readonly version: string;
  readonly files: readonly ManifestFile[];
}

/**
 * The profile that a manifest gives for a command.
 * @throws `bridges.command-unknown`
 */
export function toProfile(payload: Payload, agent: string, command: string): Profile {
  const program = findProgram(payload, command);
  const named = { agent, package: program.package, version: program.version, command };
  const text = printJson({ ...named, files: program.files }, 0);
  return { ...named, digest: `sha256:${createHash("sha256").update(text).digest("hex")}` };
}

/**
 * Holds a profile against the pack's manifest and the files themselves, and gives what to start: always a path inside
 * the pack, whatever the caller's PATH, configuration or directory say.
 * @throws `bridges.profile-mismatch`, `bridges.command-unknown`, `bridges.command-differs`, `bridges.file-unreadable`
 */
export function verifyProfile(pack: Pack, profile: Profile): readonly string[] {
  const actual = toProfile(pack.manifest.payload, profile.agent, profile.command);
  for (const key of ["package", "version", "digest"] as const) {
    if (actual[key] === profile[key]) continue;
    const subject = `profile ${profile.agent}: ${key}`;
    throw bridgesError("bridges.profile-mismatch", { subject, expected: actual[key], got: profile[key] });
  }
  if (isCommand(pack.manifest.payload, profile.command))
    return [verifyCommand(pack, profile.command).launcher];
  const { files } = findProgram(pack.manifest.payload, profile.command);
  verifyFiles(pack, files);
  return files.map(({ path }) => join(pack.root, path));
}

function isCommand({ commands }: Payload, name: string): boolean {
  return Object.hasOwn(commands, name);
}

function findProgram(payload: Payload, name: string): Program {
  const command = isCommand(payload, name) ? payload.commands[name] : undefined;
  if (command === undefined) return findCompiled(payload, name);
  const { launcher, executable, entry } = command;
  const component = findComponent(payload, (entry ?? executable).path);
  return { ...component, files: [launcher, executable, ...(entry === undefined ? [] : [entry])] };
}

/** A compiled bridge is one file; the pack's interpreter runs it. */
function findCompiled({ bridges, interpreter, components }: Payload, name: string): Program {
  const bridge = Object.hasOwn(bridges, name) ? bridges[name] : undefined;
  if (bridge === undefined || components[bridge.path] !== undefined || !("sha256" in interpreter)) {
    const got = JSON.stringify(name.slice(0, 100));
    throw bridgesError("bridges.command-unknown", {
      subject: "manifest",
      expected: "a command or a compiled bridge",
      got,
    });
  }
  const files = [interpreter, bridge].map(({ path, sha256 }) => ({
    path: path as string,
    sha256: sha256 as string,
  }));
  return { package: name, version: bridge.version, files };
}

/** The component whose location is the longest prefix of a path. */
function findComponent(
  { components }: Payload,
  path: string,
): { readonly package: string; readonly version: string } {
  const locations = Object.keys(components).filter((location) => path.startsWith(`${location}/`));
  const location = locations.sort((a, b) => b.length - a.length)[0];
  const component = location === undefined ? undefined : components[location];
  return { package: component?.name ?? "", version: component?.version ?? "" };
}
