import { accessSync, constants, statSync } from "node:fs";
import { join } from "node:path";

const folders = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"];

/** Absolute path of a tool of the system, or undefined. PATH decides only for what the system's folders lack. */
export function findTool(name: string): string | undefined {
  const searched = (process.env.PATH ?? "").split(":").filter((folder) => folder.startsWith("/"));
  return [...folders, ...searched].map((folder) => join(folder, name)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
