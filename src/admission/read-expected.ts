import { maxManifestBytes } from "../manifest/parse-document.ts";
import { parseManifest } from "../manifest/parse-manifest.ts";
import { readControlFile } from "../manifest/read-control-file.ts";
import type { Manifest } from "../manifest/types.ts";

/**
 * The controller's manifest: as given, or of a pack directory.
 * @throws `manifest.*` where the directory holds none that can be used
 */
export async function readExpected(expected: Manifest | string): Promise<Manifest> {
  if (typeof expected !== "string") return expected;
  return parseManifest(readControlFile(expected, "sealpack.json", maxManifestBytes));
}
