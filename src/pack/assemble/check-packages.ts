import type { InstallScriptDefinition } from "../../definition/pack-definition.ts";
import type { Plan, PlannedPackage } from "../../lock/types.ts";
import { packError } from "../errors.ts";
import { checkInstallScripts } from "./check-install-scripts.ts";
import { readLocations } from "./read-locations.ts";
import { readPackageJson } from "./read-package-json.ts";

/**
 * Compares the unpacked tree with the plan before anything is moved: the same locations, and at each the package that the
 * lock names; and every install script with its acknowledgement (design 5, placed and assembled).
 * @throws pack.location-unexpected, pack.location-missing, pack.identity, pack.package-json-invalid,
 *   pack.install-script-unacknowledged, pack.install-script-changed
 */
export async function checkPackages(
  root: string,
  plan: Plan,
  acknowledged: readonly InstallScriptDefinition[],
): Promise<void> {
  assertSameLocations(await readLocations(root), plan);
  for (const planned of plan.packages) {
    const packageJson = await readPackageJson(root, planned.location);
    assertIdentity(planned, packageJson);
    await checkInstallScripts({ root, planned, packageJson, acknowledged });
  }
}

export function assertSameLocations(found: readonly string[], plan: Plan): void {
  const planned = new Set(plan.packages.map((one) => one.location));
  const unexpected = found.find((location) => !planned.has(location));
  if (unexpected !== undefined) {
    throw packError("pack.location-unexpected", {
      subject: unexpected,
      expected: "no package, as the lock says",
      got: "a folder of that name",
    });
  }
  const present = new Set(found);
  const missing = plan.packages.find((one) => !present.has(one.location));
  if (missing === undefined) return;
  throw packError("pack.location-missing", {
    subject: missing.location,
    expected: `${missing.name}@${missing.version}`,
    got: "nothing",
  });
}

function assertIdentity(planned: PlannedPackage, packageJson: Readonly<Record<string, unknown>>): void {
  const { name, version } = packageJson;
  if (name === planned.name && normalizeVersion(version) === planned.version) return;
  throw packError("pack.identity", {
    subject: `${planned.location}/package.json`,
    expected: `${planned.name}@${planned.version}`,
    got: `${String(name)}@${String(version)}`,
  });
}

/** Some releases write `v1.2.3` or `=1.2.3`; npm reads both as 1.2.3 and so does the lock. */
function normalizeVersion(version: unknown): unknown {
  return typeof version === "string" ? version.trim().replace(/^[=v]+/, "") : version;
}
