import type { PackDefinition } from "../../definition/pack-definition.ts";
import type { TargetId } from "../../definition/target.ts";
import { toExecutablePath } from "./to-executable-path.ts";

/** The files that commands need: `omit` never removes them. */
export function toDeclaredFiles(definition: PackDefinition, target: TargetId): Set<string> {
  const files = new Set<string>();
  for (const [name, command] of Object.entries(definition.commands)) {
    files.add(toExecutablePath(definition, name, target));
    if (command.kind === "entry") files.add(command.entry);
  }
  return files;
}
