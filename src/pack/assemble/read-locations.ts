import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { comparePaths } from "../../tree/path-order.ts";

/**
 * Every place in a tree where Node would look for a package: `node_modules/<name>` and `node_modules/@scope/<name>`, at
 * any depth of such places. Names that begin with a dot are never packages. Sorted by bytes.
 */
export async function readLocations(root: string): Promise<string[]> {
  const found: string[] = [];
  const pending = ["node_modules"];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const location of await readPackageFolders(root, folder)) {
      found.push(location);
      pending.push(`${location}/node_modules`);
    }
  }
  return found.sort(comparePaths);
}

async function readPackageFolders(root: string, folder: string): Promise<string[]> {
  const names = await readDirectories(root, folder);
  const nested = names.map(async (name) => {
    if (!name.startsWith("@")) return [`${folder}/${name}`];
    return (await readDirectories(root, `${folder}/${name}`)).map((inner) => `${folder}/${name}/${inner}`);
  });
  return (await Promise.all(nested)).flat();
}

async function readDirectories(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ENOTDIR") return [];
      throw error;
    },
  );
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map((entry) => entry.name);
}
