import type { PackDefinition } from "../../definition/pack-definition.ts";
import type { TargetId } from "../../definition/target.ts";
import { packError } from "../errors.ts";

/**
 * The native file that ends up running: the command's own executable, or the interpreter of a JavaScript command.
 * @throws pack.executable-not-declared
 */
export function toExecutablePath(definition: PackDefinition, name: string, target: TargetId): string {
  const command = definition.commands[name];
  const path =
    command?.kind === "executable" ? command.executable[target]?.path : definition.interpreter?.path;
  if (path !== undefined) return path;
  throw packError("pack.executable-not-declared", {
    subject: `commands.${name}`,
    expected: `an executable for ${target}`,
    got: "none",
  });
}
