import { open } from "node:fs/promises";
import { join } from "node:path";
import { isSealpackError } from "../../errors.ts";
import { diffListing } from "../../manifest/diff-listing.ts";
import { parseManifest } from "../../manifest/parse-manifest.ts";
import { printManifest } from "../../manifest/print-manifest.ts";
import { sealManifest } from "../../manifest/seal-manifest.ts";
import { parseListing } from "../../tree/parse-listing.ts";
import { printListing } from "../../tree/print-listing.ts";
import { toExecutablePath } from "../assemble/to-executable-path.ts";
import { packError } from "../errors.ts";
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
    toPayload(tree, { ...needs, cpu: [...new Set(definition.cpu[target])].sort() }),
  );
  const [listed, printed] = [printListing(listing.entries), printManifest(manifest)];
  assertReadable(listed, printed);
  await writeSynced(join(root, "sealpack.tree"), listed);
  await writeSynced(join(root, "sealpack.json"), printed);
  setModeAndTime(root, 0o755);
  await syncDirectory(root);
  return { ...tree, manifest };
}

/**
 * Reads back what is about to be written: a build never seals what `verify` would refuse.
 * @throws pack.cannot-seal
 */
export function assertReadable(listed: Uint8Array, printed: Uint8Array): void {
  try {
    const { payload } = parseManifest(printed);
    const [finding] = diffListing(payload, parseListing(listed));
    if (finding === undefined) return;
    throw new Error(`${finding.code}: ${finding.path}: expected ${finding.expected}, got ${finding.got}`);
  } catch (cause) {
    const code = isSealpackError(cause) ? `${cause.code}: ` : "";
    throw packError("pack.cannot-seal", {
      subject: "the new pack",
      expected: "a manifest and a listing that verify accepts",
      got: `${code}${(cause as Error).message}`,
      cause,
    });
  }
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
