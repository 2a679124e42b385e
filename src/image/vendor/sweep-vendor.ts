import { lstat, readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { vendorError } from "./errors.ts";
import { vendorNames } from "./vendor-paths.ts";

/** @throws vendor.not-ours where the folder has content and no mark of ours */
export async function assertOurs(to: string): Promise<void> {
  const names: string[] = await readdir(to).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw vendorError("vendor.not-ours", {
      subject: to,
      expected: "a folder",
      got: error.code ?? "an error",
      cause: error,
    });
  });
  const others = names.filter((name) => name !== ".gitignore");
  if (others.length === 0 || names.includes(vendorNames.mark)) return;
  throw vendorError("vendor.not-ours", {
    subject: to,
    expected: "an empty folder, or one that fetch has filled",
    got: others.sort().slice(0, 3).join(", "),
  });
}

/** Removes every file that is not wanted, and folders that are empty then. Links are removed, never followed. */
export async function sweepVendor(directory: string, wanted: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    if (wanted.has(path) || name === ".gitignore") continue;
    if (!(await lstat(path)).isDirectory()) await rm(path);
    else {
      await sweepVendor(path, wanted);
      await rmdir(path).catch(() => undefined);
    }
  }
}
