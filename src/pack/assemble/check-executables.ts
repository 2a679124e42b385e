import { chmod, lstat } from "node:fs/promises";
import { join } from "node:path";
import type { PackDefinition } from "../../definition/pack-definition.ts";
import type { Target } from "../../definition/target.ts";
import { packError } from "../errors.ts";
import { assertExecutableOf } from "../host-needs/assert-executable-of.ts";
import { sha256File } from "../sha256-file.ts";
import { toExecutablePath } from "./to-executable-path.ts";

/**
 * Every declared executable is a file of the target's format with the pinned bytes, and is made executable whatever its
 * archive said; every entry script exists.
 * @throws pack.executable-missing, pack.executable-digest, and what assertExecutableOf throws
 */
export async function checkExecutables(
  root: string,
  definition: PackDefinition,
  target: Target,
): Promise<void> {
  for (const [name, command] of Object.entries(definition.commands)) {
    const path = toExecutablePath(definition, name, target.id);
    await assertFile(root, path, name);
    if (command.kind === "entry") await assertFile(root, command.entry, name);
    else await assertDigest(root, path, command.executable[target.id]?.sha256 ?? "");
    await assertExecutableOf(target, join(root, path));
    await chmod(join(root, path), 0o755);
  }
}

async function assertFile(root: string, path: string, name: string): Promise<void> {
  const stats = await lstat(join(root, path)).catch(() => undefined);
  if (stats?.isFile()) return;
  throw packError("pack.executable-missing", {
    subject: path,
    expected: `a file for the command ${name}`,
    got: stats === undefined ? "nothing" : "something else",
  });
}

async function assertDigest(root: string, path: string, sha256: string): Promise<void> {
  const found = await sha256File(join(root, path));
  if (found === sha256) return;
  throw packError("pack.executable-digest", { subject: path, expected: `SHA-256 ${sha256}`, got: found });
}
