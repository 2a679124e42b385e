import { createHash } from "node:crypto";
import { closeSync, constants, existsSync, fstatSync, openSync, readSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { maxManifestBytes } from "../manifest/parse-document.ts";
import { parseManifest } from "../manifest/parse-manifest.ts";
import { readControlFile } from "../manifest/read-control-file.ts";
import type { Manifest, ManifestCommand, ManifestFile } from "../manifest/types.ts";
import { bridgesError } from "./errors.ts";

/** The pack that a bridge stands in, or was told of. Its manifest says what belongs to it, not that it is trusted. */
export interface Pack {
  readonly root: string;
  readonly manifest: Manifest;
}

/**
 * The pack around a script, which stands at `<pack>/dist/…`: at most four directories up.
 * @throws `bridges.pack-not-found`, `manifest.*`
 */
export function findPack(script: string): Pack {
  let root = dirname(realpathSync(script));
  for (let level = 0; level < 4; level += 1, root = dirname(root)) {
    if (existsSync(join(root, "sealpack.json"))) return readPack(root);
  }
  throw bridgesError("bridges.pack-not-found", {
    subject: script,
    expected: "a pack's sealpack.json in a directory above",
    got: "none",
  });
}

/** @throws `manifest.*` */
export function readPack(root: string): Pack {
  return { root, manifest: parseManifest(readControlFile(root, "sealpack.json", maxManifestBytes)) };
}

/**
 * A command of the pack, its launcher, executable and entry compared with the manifest just now. What is started is the
 * launcher: it sets the environment that the definition declares.
 * @throws `bridges.command-unknown`, `bridges.command-differs`, `bridges.file-unreadable`
 */
export function verifyCommand(
  pack: Pack,
  name: string,
): { readonly launcher: string; readonly command: ManifestCommand } {
  const command = Object.hasOwn(pack.manifest.payload.commands, name)
    ? pack.manifest.payload.commands[name]
    : undefined;
  if (command === undefined) {
    const names = Object.keys(pack.manifest.payload.commands).join(", ");
    throw bridgesError("bridges.command-unknown", {
      subject: pack.root,
      expected: `one of ${names}`,
      got: JSON.stringify(name.slice(0, 100)),
    });
  }
  const files = [
    command.launcher,
    command.executable,
    ...(command.entry === undefined ? [] : [command.entry]),
  ];
  verifyFiles(pack, files);
  return { launcher: join(pack.root, command.launcher.path), command };
}

/** @throws `bridges.command-differs`, `bridges.file-unreadable` */
export function verifyFiles(pack: Pack, files: readonly ManifestFile[]): void {
  for (const { path, sha256 } of files) {
    const subject = join(pack.root, path);
    const got = hashFile(subject);
    if (got === sha256) continue;
    throw bridgesError("bridges.command-differs", { subject, expected: `sha256 ${sha256}`, got });
  }
}

/**
 * SHA-256 of a regular file, 64 hex; never follows a link at the last name and never waits on a FIFO (design 7).
 * @throws `bridges.file-unreadable`
 */
export function hashFile(path: string): string {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafe(1024 * 1024);
  try {
    const file = openSync(path, flags);
    try {
      if (!fstatSync(file).isFile()) throw Object.assign(new Error(), { code: "not a regular file" });
      for (let count = -1; count !== 0; ) {
        count = readSync(file, buffer, 0, buffer.length, null);
        hash.update(buffer.subarray(0, count));
      }
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    const got = (cause as NodeJS.ErrnoException).code ?? "unknown error";
    throw bridgesError("bridges.file-unreadable", { subject: path, expected: "a readable file", got, cause });
  }
  return hash.digest("hex");
}
