import { createHash } from "node:crypto";
import { closeSync, constants, existsSync, fstatSync, openSync, readSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { maxManifestBytes } from "../manifest/parse-document.ts";
import { parseManifest } from "../manifest/parse-manifest.ts";
import { readControlFile } from "../manifest/read-control-file.ts";
import type {
  Manifest,
  ManifestComponent,
  ManifestFile,
  ManifestInterpreter,
  Payload,
} from "../manifest/types.ts";
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

/** What stands behind a name in a manifest: a command, or a bridge that was compiled into one file. */
export interface Program {
  /** The package that it comes from; for a compiled bridge its own name. */
  readonly package: string;
  readonly version: string;
  /** Everything that is run, each to be compared before. */
  readonly files: readonly ManifestFile[];
  /** What to start, below the pack's root: a launcher, or the interpreter and a script. */
  readonly start: readonly string[];
}

/** @throws `bridges.command-unknown` */
export function findProgram(payload: Payload, name: string): Program {
  const program = findCommand(payload, name) ?? findCompiled(payload, name);
  if (program !== undefined) return program;
  throw bridgesError("bridges.command-unknown", {
    subject: "manifest",
    expected: `a command (${Object.keys(payload.commands).join(", ")}) or a compiled bridge`,
    got: JSON.stringify(name.slice(0, 100)),
  });
}

/**
 * A program of the pack by its name, every file of it compared with the manifest just now; what to start, as absolute
 * paths. A command is started through its launcher, which sets the environment that the definition declares.
 * @throws `bridges.command-unknown`, `bridges.command-differs`, `bridges.file-unreadable`
 */
export function verifyProgram(pack: Pack, name: string): readonly [string, ...string[]] {
  const { files, start } = findProgram(pack.manifest.payload, name);
  for (const { path, sha256 } of files) {
    const subject = join(pack.root, path);
    const got = hashFile(subject);
    if (got === sha256) continue;
    throw bridgesError("bridges.command-differs", { subject, expected: `sha256 ${sha256}`, got });
  }
  return start.map((path) => join(pack.root, path)) as [string, ...string[]];
}

function findCommand(payload: Payload, name: string): Program | undefined {
  const command = own(payload.commands, name);
  if (command === undefined) return undefined;
  const { launcher, executable, entry } = command;
  const component = findComponent(payload, (entry ?? executable).path);
  const files = [launcher, executable, ...(entry === undefined ? [] : [entry])];
  return { package: component?.name ?? "", version: component?.version ?? "", files, start: [launcher.path] };
}

/** A bridge that is a package is run through its command; one that is a file below `dist/`, by the interpreter. */
function findCompiled({ bridges, interpreter }: Payload, name: string): Program | undefined {
  const bridge = own(bridges, name);
  if (bridge === undefined || !bridge.path.startsWith("dist/") || !isInterpreter(interpreter))
    return undefined;
  const files = [interpreter, bridge].map(({ path, sha256 }) => ({ path, sha256 }));
  return { package: name, version: bridge.version, files, start: [interpreter.path, bridge.path] };
}

function isInterpreter(value: Payload["interpreter"]): value is ManifestInterpreter {
  return "sha256" in value;
}

/** The component whose location is the longest prefix of a path. */
function findComponent({ components }: Payload, path: string): ManifestComponent | undefined {
  const locations = Object.keys(components).filter((location) => path.startsWith(`${location}/`));
  return components[locations.sort((a, b) => b.length - a.length)[0] ?? ""];
}

function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
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
