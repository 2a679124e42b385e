import { join } from "node:path";
import type { PackDefinition } from "../definition/pack-definition.ts";
import { readDefinition } from "../definition/read-definition.ts";
import type { Target } from "../definition/target.ts";
import { packError } from "./errors.ts";
import { readSource } from "./source/read-source.ts";
import { readToolSources } from "./source/tool-sources.ts";
import type { BuildRequest, Declared } from "./steps.ts";

/**
 * The definition and the commit that it stands in.
 * @throws pack.target-not-declared, and what readDefinition and readSource throw
 */
export async function declarePack(request: BuildRequest): Promise<Declared> {
  const { definition, file } = await readDefinition(request.packDir);
  assertTarget(definition, request.target);
  const packageFile = join(request.packDir, "package.json");
  const own = request.lock === undefined ? [join(request.packDir, definition.lock.path)] : [];
  const patches = definition.patches.map((patch) => join(request.packDir, patch.file));
  const source = await readSource({
    packDir: request.packDir,
    files: [file, packageFile, ...own, ...patches],
    toolSources: readToolSources(),
    revision: request.sourceRevision,
    assertClean: request.assertClean,
    allowDirty: request.allowDirty,
  });
  return { definition, source };
}

function assertTarget(definition: PackDefinition, target: Target): void {
  if (definition.targets.includes(target.id)) return;
  throw packError("pack.target-not-declared", {
    subject: `target ${target.id}`,
    expected: `one of ${definition.targets.join(", ")}`,
    got: "another one",
  });
}
