import { lstatSync } from "node:fs";
import { isSealpackError } from "../../errors.ts";
import type { Payload } from "../../manifest/types.ts";
import { bridgesError } from "../errors.ts";
import { hashFile } from "../pack-commands.ts";

/**
 * The path of the Grok executable that the sandbox's owner provides, compared with the manifest just now (C4). What is
 * called `grok` on PATH is another program and is never looked at.
 * @throws `bridges.grok-not-declared`, `bridges.grok-missing`, `bridges.grok-differs`, `bridges.grok-cannot-check`
 */
export function verifyGrok({ prerequisites }: Payload): string {
  const grok = Object.hasOwn(prerequisites, "grok") ? prerequisites.grok : undefined;
  if (grok === undefined) {
    const facts = { subject: "manifest", expected: "the prerequisite grok", got: "none" };
    throw bridgesError("bridges.grok-not-declared", facts);
  }
  const expected = `grok ${grok.version} with sha256 ${grok.sha256}`;
  if (isMissing(grok.path))
    throw bridgesError("bridges.grok-missing", { subject: grok.path, expected, got: "no file" });
  const sha256 = hash(grok.path, expected);
  if (sha256 === grok.sha256) return grok.path;
  throw bridgesError("bridges.grok-differs", { subject: grok.path, expected, got: `sha256 ${sha256}` });
}

function hash(path: string, expected: string): string {
  try {
    return hashFile(path);
  } catch (cause) {
    if (!isSealpackError(cause)) throw cause;
    const got = String(cause.message.split(", got ").at(-1));
    throw bridgesError("bridges.grok-cannot-check", { subject: path, expected, got, cause });
  }
}

function isMissing(path: string): boolean {
  try {
    lstatSync(path);
    return false;
  } catch (error) {
    return ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");
  }
}
