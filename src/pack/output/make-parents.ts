import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Makes the folders that are missing above `path`, one by one: Node's recursive mkdir never ends where the system says
 * that a folder is missing whose parent is there, as below /proc.
 * @throws the system's error of the first folder that cannot be made
 */
export async function makeParents(path: string): Promise<void> {
  const missing: string[] = [];
  let folder = dirname(path);
  while (folder !== dirname(folder) && !(await exists(folder))) {
    missing.unshift(folder);
    folder = dirname(folder);
  }
  for (const one of missing) await mkdir(one).catch(ignoreExisting);
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}

/** Another build may have made it in the meantime. */
function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}
