import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const maxLevels = 5;

/**
 * The tool's own sources where it runs from its repository, else nothing: a build is only as clean as the code that made
 * it. An installed sealpack has no sources beside it; its version is pinned by whoever installed it.
 */
export function readToolSources(start = dirname(fileURLToPath(import.meta.url))): string[] {
  const root = findPackageRoot(start);
  if (root === undefined || !existsSync(join(root, "src", "pack"))) return [];
  return ["src", "package.json", "package-lock.json"].map((name) => join(root, name));
}

function findPackageRoot(start: string): string | undefined {
  let directory = start;
  for (let level = 0; level < maxLevels; level += 1) {
    if (isOwnPackage(join(directory, "package.json"))) return directory;
    directory = dirname(directory);
  }
  return undefined;
}

function isOwnPackage(file: string): boolean {
  try {
    return (JSON.parse(readFileSync(file, "utf8")) as { name?: unknown }).name === "sealpack";
  } catch {
    return false;
  }
}
