import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PackDefinition } from "../../definition/pack-definition.ts";
import type { TargetId } from "../../definition/target.ts";
import { packError } from "../errors.ts";
import { type LauncherTarget, printLauncher } from "../launcher.ts";
import { toExecutablePath } from "./to-executable-path.ts";

export const launcherFolder = "node_modules/.bin";

export interface RootFiles {
  readonly packageJson: Uint8Array;
  readonly lock: Uint8Array;
}

/**
 * Writes what belongs to no component: package.json and the lock, byte for byte, and one launcher per declared command.
 * @throws pack.lock-path-taken
 */
export async function writeRootFiles(
  root: string,
  definition: PackDefinition,
  target: TargetId,
  files: RootFiles,
): Promise<void> {
  await writeNew(root, "package.json", files.packageJson);
  await writeNew(root, definition.lock.path, files.lock);
  await mkdir(join(root, launcherFolder), { recursive: true });
  for (const name of Object.keys(definition.commands)) {
    const text = printLauncher(toLauncherTarget(definition, name, target));
    await writeNew(root, `${launcherFolder}/${name}`, Buffer.from(text), 0o755);
  }
}

export function toLauncherTarget(definition: PackDefinition, name: string, target: TargetId): LauncherTarget {
  const command = definition.commands[name];
  if (command === undefined) throw new Error(`no command ${name}`);
  const executable = toExecutablePath(definition, name, target);
  return command.kind === "entry"
    ? { kind: "entry", interpreter: executable, entry: command.entry, env: command.env }
    : { kind: "executable", path: executable, env: command.env };
}

async function writeNew(root: string, path: string, bytes: Uint8Array, mode = 0o644): Promise<void> {
  await writeFile(join(root, path), bytes, { flag: "wx", mode }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== "EEXIST") throw cause;
    throw packError("pack.lock-path-taken", { subject: path, expected: "no file there", got: "one", cause });
  });
}
