import { sealManifest } from "../../../src/manifest/seal-manifest.ts";
import type { Manifest, Payload } from "../../../src/manifest/types.ts";
import { toListing } from "../../../src/tree/to-listing.ts";
import { toTestPayload } from "../../support/random-pack.ts";

/** A manifest of a pack that stands nowhere. */
export function smallManifest(changes: Partial<Payload> = {}): Manifest {
  const file = (path: string, type: "f" | "x", digit: string) => ({
    type,
    size: 1,
    digest: digit.repeat(64),
    path,
  });
  const directory = (path: string) => ({ type: "d" as const, size: 0, digest: "", path });
  const listing = toListing([
    ...["dist", "dist/cli", "node_modules", "node_modules/.bin"].map(directory),
    ...["node_modules/node", "node_modules/node/bin"].map(directory),
    file("dist/cli/bridge.cjs", "f", "a"),
    file("node_modules/.bin/codex", "x", "b"),
    file("node_modules/node/bin/node", "x", "c"),
    file("package-lock.json", "f", "d"),
  ]);
  const payload = toTestPayload(listing, { files: {}, directories: [], locations: [], placed: [] });
  return sealManifest({ ...payload, ...changes });
}
