import type { ArgumentDeclaration } from "./arguments.ts";
import type { ImageRecord } from "./content-id.ts";

/**
 * The given build arguments that count: all but provenance. An argument given as the default that every ARG of its name has anyway is
 * the same build, and gives no record; defaults count with the Dockerfile's own bytes.
 */
export function toArgumentRecords(
  given: ReadonlyMap<string, string>,
  declared: readonly ArgumentDeclaration[],
  provenance: readonly string[],
): readonly ImageRecord[] {
  return [...given].flatMap(([name, value]): ImageRecord[] => {
    if (provenance.includes(name)) return [];
    return isDefault(
      value,
      declared.filter((declaration) => declaration.name === name),
    )
      ? []
      : [["argument", name, value]];
  });
}

/** An `ARG X` inside a stage takes the global default of X. */
function isDefault(value: string, declared: readonly ArgumentDeclaration[]): boolean {
  const inherited = declared.some(({ global, fallback }) => global && fallback !== undefined);
  const own = declared.filter(({ global, fallback }) => global || fallback !== undefined || !inherited);
  return own.length > 0 && own.every(({ fallback }) => fallback === value) && !/["'\\`$]/.test(value);
}
