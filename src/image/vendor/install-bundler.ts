import { join } from "node:path";
import { unpackTarball } from "../../archive/unpack-tarball.ts";
import { readDefinition } from "../../definition/read-definition.ts";
import type { Target } from "../../definition/target.ts";
import { toCachePath } from "../../fetch/cache-path.ts";
import { loadLock } from "../../lock/load-lock.ts";
import { planTarget } from "../../lock/plan-target.ts";
import type { PlannedPackage } from "../../lock/types.ts";
import { vendorError } from "./errors.ts";
import { vendorNames } from "./vendor-paths.ts";

export interface InstallBundlerRequest {
  readonly packDir: string;
  readonly vendor: string;
  /** Where the packages go: a `node_modules` that the tool finds from where it stands. */
  readonly to: string;
  readonly target: Target;
  readonly lock?: { readonly file: string; readonly sha256: string };
}

/** The bundler has a native part, which no bundle of the tool can hold. */
const bundlerPackages = ["node_modules/esbuild", "node_modules/@esbuild/linux-x64"];

/**
 * Unpacks the bundler that a pack's bridges are compiled by, from the vendored archives that the pack's own lock pins.
 * @throws vendor.no-bundler, and what reading a lock and unpacking throw
 */
export async function installBundler(request: InstallBundlerRequest): Promise<void> {
  const { packDir, vendor, to, target, lock } = request;
  const { definition } = await readDefinition(packDir);
  const loaded = await loadLock({ packDir, definition, ...(lock === undefined ? {} : { lock }) });
  const { packages } = planTarget(loaded, definition, target);
  for (const planned of toBundler(packages)) {
    const { location, name, version, integrity } = planned;
    const file = toCachePath(join(vendor, vendorNames.cache), integrity, name);
    const destination = join(to, location.slice("node_modules/".length));
    await unpackTarball({ file, integrity, destination, label: `${name}@${version}` });
  }
}

/** @throws vendor.no-bundler */
export function toBundler(packages: readonly PlannedPackage[]): readonly PlannedPackage[] {
  return bundlerPackages.map((location) => {
    const found = packages.find((planned) => planned.location === location);
    if (found !== undefined) return found;
    throw vendorError("vendor.no-bundler", {
      subject: "the pack's lock",
      expected: location,
      got: "no such package",
    });
  });
}
