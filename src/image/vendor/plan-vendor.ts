import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { PackDefinition } from "../../definition/pack-definition.ts";
import { readDefinition } from "../../definition/read-definition.ts";
import type { Target } from "../../definition/target.ts";
import { loadLock } from "../../lock/load-lock.ts";
import { planTarget } from "../../lock/plan-target.ts";
import type { PlannedPackage } from "../../lock/types.ts";
import { type FleetDefinition, parseFleetDefinition } from "../fleet-definition.ts";
import { parseImageDefinition } from "../image-definition.ts";
import { vendorError } from "./errors.ts";

export interface VendorRequest {
  /** The pack whose lock may be replaced. Absolute, as all paths here. */
  readonly packDir: string;
  readonly to: string;
  readonly target: Target;
  readonly lock?: { readonly file: string; readonly sha256: string };
}

/** Everything that a vendored folder will hold, before a byte is fetched. */
export interface VendorPlan {
  /** The npm packages of every pack, one for each archive. */
  readonly packages: readonly PlannedPackage[];
  /** The lock of `packDir`, byte for byte. */
  readonly lock: Uint8Array;
  readonly node: InterpreterSource;
  readonly fleet?: FleetDefinition;
}

/** Where the interpreter comes from: a package's archive and a path in it. */
export interface InterpreterSource {
  readonly package: PlannedPackage;
  readonly file: string;
  /** What its bytes must be, where a command of the pack is the interpreter itself. */
  readonly sha256?: string;
}

/** Every lock is checked against its pin first; a fleet.yaml beside the folder brings its packs and archives. */
export async function planVendor(request: VendorRequest): Promise<VendorPlan> {
  const { packDir, to, target, lock } = request;
  const fleet = readFleet(dirname(to));
  const main = await planPack(packDir, target, lock);
  const others = fleet === undefined ? [] : toPackDirs(fleet, dirname(to)).filter((dir) => dir !== packDir);
  const plans = [main, ...(await Promise.all(others.map((dir) => planPack(dir, target))))];
  const node = toInterpreterSource(main.definition, main.packages, target);
  const packages = new Map(
    plans.flatMap((plan) => plan.packages).map((planned) => [planned.integrity, planned]),
  );
  return {
    packages: [...packages.values()],
    lock: main.lock,
    node,
    ...(fleet === undefined ? {} : { fleet }),
  };
}

async function planPack(packDir: string, target: Target, lock?: VendorRequest["lock"]) {
  const { definition } = await readDefinition(packDir);
  const loaded = await loadLock({ packDir, definition, ...(lock === undefined ? {} : { lock }) });
  const { packages } = planTarget(loaded, definition, target);
  return {
    definition,
    lock: loaded.bytes,
    packages: packages.filter(({ bundledIn }) => bundledIn === undefined),
  };
}

function readFleet(folder: string): FleetDefinition | undefined {
  const file = join(folder, "fleet.yaml");
  return existsSync(file) ? parseFleetDefinition(readFileSync(file), file) : undefined;
}

/** The packs of a fleet.yaml are named from the build context, which the image.yaml beside it declares. */
function toPackDirs({ packs }: FleetDefinition, folder: string): string[] {
  const file = join(folder, "image.yaml");
  const context = existsSync(file) ? parseImageDefinition(readFileSync(file), file).context : ".";
  return packs.map((pack) => resolve(folder, context, pack));
}

/** @throws vendor.no-interpreter */
export function toInterpreterSource(
  definition: PackDefinition,
  packages: readonly PlannedPackage[],
  target: Target,
): InterpreterSource {
  const path = definition.interpreter?.path;
  const from =
    definition.place.find(({ to }) => to === path)?.from.replaceAll("{target}", target.id) ?? path ?? "";
  const owner = packages
    .filter(({ location }) => from.startsWith(`${location}/`))
    .sort((a, b) => b.location.length - a.location.length)[0];
  if (owner === undefined) {
    const facts = {
      subject: definition.name,
      expected: "an interpreter from a package of the lock",
      got: path ?? "none",
    };
    throw vendorError("vendor.no-interpreter", facts);
  }
  const commands = Object.values(definition.commands);
  const executables = commands.flatMap((command) =>
    command.kind === "executable" ? [command.executable[target.id]] : [],
  );
  const sha256 = executables.find((executable) => executable?.path === path)?.sha256;
  return {
    package: owner,
    file: from.slice(owner.location.length + 1),
    ...(sha256 === undefined ? {} : { sha256 }),
  };
}
