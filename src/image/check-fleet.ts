import { join, relative } from "node:path";
import { imageError } from "./errors.ts";
import { parseFleetDefinition } from "./fleet-definition.ts";
import { diffFleetPins, type FleetComparison, toFleetPins } from "./fleet-pins.ts";
import type { PlannedImage } from "./planned-image.ts";
import { readBounded } from "./read-bounded.ts";

/**
 * Compares the fleet's pins, those of `fleet.yaml` beside the Dockerfile and of the packs that it names, with another definition's.
 * @param other path of the other fleet's Dockerfile
 * @throws image.file-unreadable, image.fleet-invalid, image.fleet-nothing-compared
 */
export function checkFleet({ dockerfile, context }: PlannedImage, other: string): FleetComparison {
  const path = join(dockerfile, "..", "fleet.yaml");
  const fleet = parseFleetDefinition(readBounded(path), relative(context, path));
  const packages = new Map(fleet.packs.flatMap((pack) => readPackages(join(context, pack, "package.json"))));
  const text = Buffer.from(readBounded(other)).toString("utf8");
  const comparison = diffFleetPins(toFleetPins(fleet, packages), fleet, text, other);
  if (comparison.compared.length > 0) return comparison;
  const facts = {
    subject: other,
    expected: "at least one of this fleet's pins",
    got: "none that is recognised",
  };
  throw imageError("image.fleet-nothing-compared", facts);
}

function readPackages(path: string): [string, string][] {
  const bytes = readBounded(path);
  try {
    const { dependencies = {} } = JSON.parse(Buffer.from(bytes).toString("utf8")) as {
      dependencies?: Record<string, string>;
    };
    return Object.entries(dependencies);
  } catch (cause) {
    throw imageError("image.fleet-invalid", {
      subject: path,
      expected: "JSON",
      got: "something else",
      cause,
    });
  }
}
