import { open } from "node:fs/promises";
import { join } from "node:path";
import { printManifest } from "../../manifest/print-manifest.ts";
import { sealManifest } from "../../manifest/seal-manifest.ts";
import { printListing } from "../../tree/print-listing.ts";
import { toExecutablePath } from "../assemble/to-executable-path.ts";
import { readHostNeeds } from "../host-needs/read-host-needs.ts";
import { syncDirectory } from "../output/swap-output.ts";
import type { BuildRequest, Exercised, Sealed } from "../steps.ts";
import { setModeAndTime } from "./normalize-tree.ts";
import { toPayload } from "./to-payload.ts";

/** Writes the listing, then the manifest over it, both on disk before the tree is put in place (design 5, sealed). */
export async function sealTree(request: BuildRequest, tree: Exercised): Promise<Sealed> {
  request.onProgress({ step: "seal" });
  const { definition, root, listing } = tree;
  const target = request.target.id;
  const names = Object.keys(definition.commands);
  const executables = [...new Set(names.map((name) => toExecutablePath(definition, name, target)))];
  const needs = await readHostNeeds(root, executables);
  const manifest = sealManifest(
    toPayload(tree, { ...needs, cpu: [...(definition.cpu[target] ?? [])].sort() }),
  );
  await writeSynced(join(root, "sealpack.tree"), printListing(listing.entries));
  await writeSynced(join(root, "sealpack.json"), printManifest(manifest));
  setModeAndTime(root, 0o755);
  await syncDirectory(root);
  return { ...tree, manifest };
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(path, "wx", 0o644);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  setModeAndTime(path, 0o644);
}
