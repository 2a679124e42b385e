import { readFileSync } from "node:fs";
import { join } from "node:path";
import { comparePaths } from "../../tree/path-order.ts";

/** A package of which at least one file went into a bundle. */
export interface BundledPackage {
  /** Lock location, `node_modules/…`. */
  readonly location: string;
  readonly name: string;
  readonly version: string;
  /** The lock's SRI; "" where the lock has none. */
  readonly integrity: string;
  /** As package.json has it; "" for none. */
  readonly license: string;
  /** The directory, for reading its licence. */
  readonly directory: string;
}

/** The packages that a bundle's inputs belong to, sorted by location. Inputs are paths below `stage`. */
export function readBundledPackages(
  stage: string,
  inputs: readonly string[],
  integrities: Readonly<Record<string, string>>,
): readonly BundledPackage[] {
  const locations = new Set(inputs.flatMap((input) => toLocation(input) ?? []));
  return [...locations].sort(comparePaths).map((location) => {
    const directory = join(stage, location);
    const { name, version, license } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as {
      readonly name: string;
      readonly version: string;
      readonly license?: unknown;
    };
    const integrity = integrities[location] ?? "";
    return {
      location,
      name,
      version,
      integrity,
      license: typeof license === "string" ? license : "",
      directory,
    };
  });
}

/** `node_modules/a/node_modules/@b/c/d.js` → `node_modules/a/node_modules/@b/c`; undefined for a source. */
export function toLocation(input: string): string | undefined {
  return /^node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
}
