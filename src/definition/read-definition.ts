import { join } from "node:path";
import { definitionError } from "./errors.ts";
import type { PackDefinition } from "./pack-definition.ts";
import { parseDefinition } from "./parse-definition.ts";
import { readInputFile, toReadFailure } from "./read-input-file.ts";
import { maximumBytes } from "./yaml-document.ts";

export interface ReadDefinition {
  readonly definition: PackDefinition;
  readonly bytes: Uint8Array;
  /** Path of the file, as given and as messages call it. */
  readonly file: string;
}

/**
 * Reads `<packDir>/pack.yaml`.
 * @throws definition.unreadable, and what {@link parseDefinition} throws
 */
export async function readDefinition(packDir: string): Promise<ReadDefinition> {
  const file = join(packDir, "pack.yaml");
  const bytes = await readInputFile(file, maximumBytes).catch((cause: unknown) => {
    throw definitionError("definition.unreadable", {
      subject: file,
      expected: "a readable file",
      got: toReadFailure(cause),
      cause,
    });
  });
  return { definition: parseDefinition(bytes, file), bytes, file };
}
