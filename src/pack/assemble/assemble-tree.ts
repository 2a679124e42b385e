import { listTree } from "../../tree/list-tree.ts";
import { compileBridges } from "../compile/compile-bridges.ts";
import { packError } from "../errors.ts";
import { normalizeTree } from "../seal/normalize-tree.ts";
import { findSecrets } from "../secrets/find-secrets.ts";
import type { Assembled, BuildRequest, Placed } from "../steps.ts";
import { applyOmits } from "./apply-omits.ts";
import { applyPatches } from "./apply-patches.ts";
import { applyPlaces } from "./apply-places.ts";
import { checkExecutables } from "./check-executables.ts";
import { toDeclaredFiles } from "./declared-files.ts";
import { writeRootFiles } from "./write-root-files.ts";

/**
 * Turns the placed packages into the pack's tree: declared moves, patches and omissions, launchers and the root's files;
 * then its executables are checked and its text is searched for credentials.
 * @throws pack.secrets-found, and what each of the parts throws
 */
export async function assembleTree(request: BuildRequest, tree: Placed): Promise<Assembled> {
  request.onProgress({ step: "assemble" });
  const { root, definition, plan } = tree;
  const target = request.target.id;
  const locations = plan.packages.map((planned) => planned.location);
  const placed = await applyPlaces({ root, target, places: definition.place, locations });
  await applyPatches(root, request.packDir, definition.patches);
  const omitted = await applyOmits(root, definition.omit, target, toDeclaredFiles(definition, target));
  await writeRootFiles(root, definition, target, {
    packageJson: tree.lock.packageJson,
    lock: tree.lock.bytes,
  });
  const compiled = await compileBridges(root, definition, plan);
  await checkExecutables(root, definition, request.target);
  normalizeTree(root);
  const listing = await listTree(root);
  await assertNoSecrets(root, listing.entries);
  return { ...tree, placed, omitted, compiled, listing };
}

async function assertNoSecrets(root: string, entries: Assembled["listing"]["entries"]): Promise<void> {
  const findings = await findSecrets(root, entries);
  const first = findings[0];
  if (first === undefined) return;
  throw packError("pack.secrets-found", {
    subject: first.path,
    expected: "no credentials in the pack",
    got: `${first.got}${findings.length > 1 ? ` and ${findings.length - 1} more` : ""}`,
    details: { findings },
  });
}
