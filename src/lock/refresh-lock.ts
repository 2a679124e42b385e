import { join } from "node:path";
import { parseDefinition } from "../definition/parse-definition.ts";
import { readInputFile } from "../definition/read-input-file.ts";
import { maximumBytes } from "../definition/yaml-document.ts";
import type { NpmOptions } from "../fetch/npm-options.ts";
import { judgeLock } from "./load-lock.ts";
import { maximumLockBytes } from "./parse-lock.ts";
import { maximumRootBytes, parseRootManifest } from "./parse-root-manifest.ts";
import type { LockProblem } from "./problem.ts";
import { readOwnFile } from "./read-own-file.ts";
import { replaceDigest } from "./replace-digest.ts";
import { resolveLock } from "./resolve-lock.ts";
import { toSha256 } from "./verify-lock-digest.ts";
import { writeTogether } from "./write-together.ts";

export interface RefreshedLock {
  readonly file: string;
  readonly sha256: string;
  /** False where the lock and its pin were already what a resolution gives; nothing was written then. */
  readonly changed: boolean;
  /** What the policy says about the new lock. It is written all the same: the pack's build is what refuses it. */
  readonly problems: readonly LockProblem[];
}

/**
 * Resolves package.json anew and writes the lock and its pinned SHA-256 in pack.yaml, both or neither (B6).
 * @param npm npm's configuration, which decides where bytes come from and nothing else
 * @throws `definition.*`, lock.unreadable, lock.resolution-failed, lock.resolution-unstable, lock.write-failed
 */
export async function refreshLock(packDir: string, npm: NpmOptions): Promise<RefreshedLock> {
  const yamlFile = join(packDir, "pack.yaml");
  const manifestFile = join(packDir, "package.json");
  const [yaml, packageJson] = await Promise.all([
    readOwnFile(yamlFile, maximumBytes),
    readOwnFile(manifestFile, maximumRootBytes),
  ]);
  parseRootManifest(packageJson, manifestFile);
  // The old pin may be a filler or for an older lock: it is the one value that does not count here.
  const { interpreter, lock } = parseDefinition(replaceDigest(yaml, toSha256(yaml), yamlFile), yamlFile);
  const version = interpreter === undefined ? {} : { interpreter: interpreter.version };
  const bytes = await resolveLock({ packageJson, npm, ...version });
  const sha256 = toSha256(bytes);
  const newYaml = replaceDigest(yaml, sha256, yamlFile);
  const definition = parseDefinition(newYaml, yamlFile);
  const file = join(packDir, lock.path);
  const { problems } = await judgeLock({ file, bytes, sha256, packageJson }, definition, manifestFile);
  const old = await readInputFile(file, maximumLockBytes).catch(() => Buffer.alloc(0));
  const changed = Buffer.compare(old, bytes) !== 0 || Buffer.compare(yaml, newYaml) !== 0;
  if (changed) {
    await writeTogether([
      { file, bytes },
      { file: yamlFile, bytes: newYaml },
    ]);
  }
  return { file, sha256, changed, problems };
}
