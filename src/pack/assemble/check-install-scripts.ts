import { lstat } from "node:fs/promises";
import type { InstallScriptDefinition } from "../../definition/pack-definition.ts";
import type { PlannedPackage } from "../../lock/types.ts";
import { packError } from "../errors.ts";
import { sha256File } from "../sha256-file.ts";

/** What npm would run when it installs a package. sealpack runs none of them (requirement B4). */
const lifecycle = ["preinstall", "install", "postinstall"] as const;

/** npm runs this by itself for a package that has a binding.gyp and no script of its own. */
const implicitBuild = "node-gyp rebuild";

export interface InstallScriptCheck {
  readonly root: string;
  readonly planned: PlannedPackage;
  readonly packageJson: Readonly<Record<string, unknown>>;
  readonly acknowledged: readonly InstallScriptDefinition[];
}

/**
 * Compares what a package would run with what the definition acknowledges: the exact command, and the script file's bytes.
 * @throws pack.install-script-unacknowledged, pack.install-script-changed
 */
export async function checkInstallScripts(check: InstallScriptCheck): Promise<void> {
  const hasBinding = await exists(`${check.root}/${check.planned.location}/binding.gyp`);
  const commands = toInstallCommands(check.packageJson, hasBinding);
  const known = check.acknowledged.filter((one) => one.package === check.planned.name);
  for (const command of commands) {
    const match = known.find((one) => one.run === command);
    if (match === undefined) throw unacknowledged(check.planned, command, known);
    if (match.file !== undefined) await assertScriptFile(check, match.file, match.sha256 ?? "");
  }
}

export function toInstallCommands(
  packageJson: Readonly<Record<string, unknown>>,
  hasBinding: boolean,
): string[] {
  const scripts = (packageJson.scripts ?? {}) as Readonly<Record<string, unknown>>;
  const own = lifecycle
    .map((name) => scripts[name])
    .filter((command) => command !== undefined && command !== "");
  const hasOwnBuild = ["preinstall", "install"].some((name) => typeof scripts[name] === "string");
  const implicit = hasBinding && packageJson.gypfile !== false && !hasOwnBuild ? [implicitBuild] : [];
  return [...own.map(String), ...implicit];
}

async function assertScriptFile(check: InstallScriptCheck, file: string, sha256: string): Promise<void> {
  const path = `${check.planned.location}/${file}`;
  const found = await sha256File(`${check.root}/${path}`).catch(() => "no such file");
  if (found === sha256) return;
  throw packError("pack.install-script-changed", {
    subject: path,
    expected: `SHA-256 ${sha256}`,
    got: found,
  });
}

function unacknowledged(planned: PlannedPackage, command: string, known: readonly InstallScriptDefinition[]) {
  const subject = `${planned.name}@${planned.version} at ${planned.location}`;
  if (known.length === 0) {
    return packError("pack.install-script-unacknowledged", {
      subject,
      expected: "no install script, or one listed under installScripts",
      got: JSON.stringify(command),
    });
  }
  const expected = known.map((one) => JSON.stringify(one.run)).join(" or ");
  return packError("pack.install-script-changed", { subject, expected, got: JSON.stringify(command) });
}

async function exists(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    () => false,
  );
}
