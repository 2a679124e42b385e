import { execFile } from "node:child_process";
import { copyFile, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { vendorError } from "../image/vendor/errors.ts";
import type { VendoredPrograms } from "../image/vendor/fill-vendor.ts";
import { cliError } from "./errors.ts";

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
      await run(fileURLToPath(new URL("../../scripts/bundle.ts", import.meta.url)), path);
    else await copyFile(fileURLToPath(new URL("../sealpack.mjs", import.meta.url)), path);
  } catch (cause) {
    const got = (cause as Error).message.split("\n")[0] ?? "an error";
    throw vendorError("vendor.no-tool", { subject: path, expected: "the tool as one file", got, cause });
  }
}

/**
 * Writes paperclip-runnerd, which reports the commit it was made from. Only a checkout has what it is made of.
 * @throws vendor.no-tool
 */
export async function writeRunnerd(path: string, revision: string): Promise<boolean> {
  const own = fileURLToPath(import.meta.url);
  if (typeof SEALPACK_VERSION === "string" || !own.endsWith(".ts")) return false;
  try {
    await run(fileURLToPath(new URL("../../scripts/bundle-runnerd.ts", import.meta.url)), path, revision);
    return true;
  } catch (cause) {
    const got = (cause as Error).message.split("\n")[0] ?? "an error";
    throw vendorError("vendor.no-tool", {
      subject: path,
      expected: "paperclip-runnerd as one file",
      got,
      cause,
    });
  }
}

export function toPrograms(revision: string): VendoredPrograms {
  return { writeTool, writeRunnerd: (path) => writeRunnerd(path, revision) };
}

/** HEAD's full hash, or the given one. @throws cli.usage */
export async function toRevision(given: string | undefined, cwd: string): Promise<string> {
  const revision = given ?? (await readHead(cwd));
  if (/^[0-9a-f]{40}$/.test(revision)) return revision;
  const got = revision === "" ? "no commit that git can read" : JSON.stringify(revision);
  throw cliError("cli.usage", {
    subject: "--source-revision",
    expected: "the full commit, 40 lowercase hex digits",
    got,
  });
}

async function readHead(cwd: string): Promise<string> {
  const { readGit } = await import("../pack/source/git.ts");
  const head = await readGit(cwd, ["rev-parse", "--verify", "HEAD^{commit}"]);
  return head.ok ? head.stdout.trim() : "";
}

async function run(script: string, ...args: readonly string[]): Promise<void> {
  await promisify(execFile)(process.execPath, [script, ...args], { timeout: 120_000 });
}
