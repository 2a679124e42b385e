import { lstat, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { packError } from "../errors.ts";
import { type GitResult, readGit } from "./git.ts";

/** A checkout that git can read. */
export interface Repository {
  /** Real path of the working tree's root. */
  readonly top: string;
  /** The commit checked out: 40 hex digits, or 64 in a SHA-256 repository. */
  readonly revision: string;
}

/**
 * The checkout that holds `directory`; undefined where there is none, or no git program to read it.
 * @throws pack.git-failed where there is one and git cannot read it: the caller must not vouch for what git could check
 */
export async function readRepository(directory: string): Promise<Repository | undefined> {
  const top = await readGit(directory, ["rev-parse", "--show-toplevel"]);
  if (top.state === "absent" || (await isNoRepository(top, directory))) return undefined;
  const head = await readGit(directory, ["rev-parse", "--verify", "HEAD^{commit}"]);
  const revision = toAnswer(head, directory).trim();
  return { top: await realpath(toAnswer(top, directory).replace(/\n$/, "")), revision };
}

/** What git printed. @throws pack.git-failed */
export function toAnswer(result: GitResult, directory: string): string {
  if (result.state === "ok") return result.stdout;
  throw packError("pack.git-failed", {
    subject: directory,
    expected: "a checkout that git can read",
    got: result.state === "absent" ? "no git program" : result.stderr.trim().slice(0, 500),
  });
}

/** Git says the same of no repository and of one that is too broken to be recognized; the latter has a `.git` folder. */
async function isNoRepository(result: GitResult, directory: string): Promise<boolean> {
  if (result.state !== "failed") return false;
  if (!/^(?:warning: .*\n)*fatal: not a git repository/.test(result.stderr)) return false;
  return !(await hasGitFolder(await realpath(directory)));
}

/** Up to the root of the file system, or of the mount, where git stops as well. */
async function hasGitFolder(directory: string): Promise<boolean> {
  const stats = await lstat(join(directory, ".git")).catch(() => undefined);
  if (stats?.isDirectory()) return true;
  const parent = dirname(directory);
  if (parent === directory) return false;
  const [here, above] = await Promise.all([lstat(directory), lstat(parent)]);
  return here.dev === above.dev && (await hasGitFolder(parent));
}
