import { readFileSync } from "node:fs";
import { type PackPlan, smallPlan, type TestPack, writePack } from "./random-pack.ts";

/** The small pack with an interpreter that runs: this test's own. `more` replaces or adds files. */
export async function writeRunnablePack(root: string, more: PackPlan["files"] = {}): Promise<TestPack> {
  const node = { bytes: readFileSync(process.execPath), executable: true } as const;
  return await writePack(root, {
    ...smallPlan,
    files: { ...smallPlan.files, "node_modules/node/bin/node": node, ...more },
  });
}
