import type { AuditedPath, ImageDefinition } from "./image-definition.ts";
import type { ImageFinding } from "./image-finding.ts";
import type { LocalInput } from "./local-input.ts";

/** Is `path` the audited file, or below the audited folder? */
export function coversPath(audited: string, path: string): boolean {
  return audited.endsWith("/") ? path.startsWith(audited) || `${path}/` === audited : path === audited;
}

/**
 * Compares the audited list with what the build reads, in both directions: a file that entered the closure unseen (requirement D3), and
 * an entry that no input answers to any more.
 * @param file how messages call image.yaml
 */
export function diffAudit(
  inputs: readonly LocalInput[],
  definition: ImageDefinition,
  file: string,
): readonly ImageFinding[] {
  const folders = definition.inputs.filter(({ path }) => path.endsWith("/"));
  const files = new Set(definition.inputs.map(({ path }) => path));
  const unseen = inputs.filter(
    ({ path }) => !files.has(path) && !folders.some((folder) => coversPath(folder.path, path)),
  );
  const paths = new Set(inputs.map(({ path }) => path));
  const isUsed = ({ path }: AuditedPath) =>
    path.endsWith("/") ? inputs.some((input) => coversPath(path, input.path)) : paths.has(path);
  return [
    ...unseen.map(({ path }) => finding("image.input-not-audited", path, 0, `an entry of ${file}`, "none")),
    ...definition.inputs
      .filter((entry) => !isUsed(entry))
      .map(({ path, line }) => finding("image.input-stale", file, line, "an input of the build", path)),
  ];
}

function finding(
  code: ImageFinding["code"],
  file: string,
  line: number,
  expected: string,
  got: string,
): ImageFinding {
  return { code, file, line, expected, got };
}
