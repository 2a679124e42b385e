import { loadLock } from "../lock/load-lock.ts";
import { planTarget } from "../lock/plan-target.ts";
import { toDeclaredFiles } from "./assemble/declared-files.ts";
import type { BuildRequest, Declared, Locked } from "./steps.ts";

/**
 * The lock, checked against its pin before it is parsed (requirement B4), and what it gives this target.
 * A platform without a release fails here, before anything is downloaded (requirement B13).
 */
export async function lockPack(request: BuildRequest, declared: Declared): Promise<Locked> {
  request.onProgress({ step: "lock" });
  const lock = await loadLock({
    packDir: request.packDir,
    definition: declared.definition,
    ...(request.lock === undefined ? {} : { lock: request.lock }),
  });
  const plan = planTarget(lock, declared.definition, request.target);
  toDeclaredFiles(declared.definition, request.target.id);
  return { ...declared, lock, plan };
}
