import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const checkout = join(import.meta.dirname, "../..");

export interface RealPack {
  readonly root: string;
  remove(): void;
}

/**
 * The default pack, built as a release from a repository of its own, which takes about a minute with its archives in the cache.
 * `SEALPACK_TEST_PACK` names one that is built already.
 */
export function buildRealPack(): RealPack {
  const given = process.env.SEALPACK_TEST_PACK;
  if (given !== undefined && given !== "") return { root: given, remove: () => {} };
  const work = mkdtempSync(join(tmpdir(), "sealpack-real-pack-"));
  const repository = join(work, "repository");
  mkdirSync(join(repository, "packs"), { recursive: true });
  cpSync(join(checkout, "packs/paperclip-runner"), join(repository, "packs/paperclip-runner"), {
    recursive: true,
  });
  const git = (...args: string[]) => execFileSync("git", args, { cwd: repository, stdio: "pipe" });
  const identity = [
    "-c",
    "user.name=test",
    "-c",
    "user.email=test@example.org",
    "-c",
    "commit.gpgsign=false",
  ];
  git("init", "-q");
  git("add", "-A");
  git(...identity, "commit", "-qm", "pack");
  const root = join(work, "pack");
  const definition = join(repository, "packs/paperclip-runner");
  execFileSync(process.execPath, [join(checkout, "src/cli/main.ts"), "build", definition, "--out", root], {
    stdio: "pipe",
  });
  return { root, remove: () => rmSync(work, { recursive: true, force: true }) };
}
