import { execFile } from "node:child_process";
import { copyFile, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { vendorError } from "../image/vendor/errors.ts";

declare const SEALPACK_VERSION: string | undefined;

/**
 * Writes the tool as one file: bundled from the sources in a checkout, copied from beside dist/cli where sealpack is installed, and a copy
 * of itself where it is the bundle.
 * @throws vendor.no-tool
 */
export async function writeTool(path: string): Promise<void> {
  const own = fileURLToPath(import.meta.url);
  await mkdir(dirname(path), { recursive: true });
  try {
    if (typeof SEALPACK_VERSION === "string") await copyFile(own, path);
    else if (own.endsWith(".ts"))
      await bundle(fileURLToPath(new URL("../../scripts/bundle.ts", import.meta.url)), path);
    else await copyFile(fileURLToPath(new URL("../sealpack.mjs", import.meta.url)), path);
  } catch (cause) {
    const got = (cause as Error).message.split("\n")[0] ?? "an error";
    throw vendorError("vendor.no-tool", { subject: path, expected: "the tool as one file", got, cause });
  }
}

async function bundle(script: string, path: string): Promise<void> {
  await promisify(execFile)(process.execPath, [script, path], { timeout: 120_000 });
}
