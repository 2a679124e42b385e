import { createHash } from "node:crypto";
import { printJson } from "../../manifest/print-json.ts";
import type { Payload } from "../../manifest/types.ts";
import { bridgesError } from "../errors.ts";
import { findProgram, type Pack, verifyProgram } from "../pack-commands.ts";

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
  return verifyProgram(pack, profile.command);
}
