import { type Dirent, lstatSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { imageError } from "./errors.ts";
import { toShownText } from "./image-finding.ts";
import type { InputKind, LocalInput } from "./local-input.ts";

/** A name in a directory of the context. `special` is a FIFO, a socket or a device. */
export interface ContextName {
  readonly name: string;
  readonly kind: "file" | "directory" | "link" | "special";
}

/**
 * The names in a directory, in the order of their UTF-8 bytes.
 * @throws image.path-not-utf8, image.input-unreadable
 */
export function readContextDirectory(context: string, path: string): readonly ContextName[] {
  const entries = unlessUnreadable(path, () =>
    readdirSync(join(context, path), { withFileTypes: true, encoding: "buffer" }),
  );
  return entries
    .sort((a, b) => Buffer.compare(a.name, b.name))
    .map((entry) => ({ name: decodeName(entry.name, path), kind: toKind(entry) }));
}

/** The kind of what stands at `path`, links not followed; undefined for nothing. */
export function readContextKind(context: string, path: string): ContextName["kind"] | undefined {
  const stats = unlessUnreadable(path, () => lstatSync(join(context, path), { throwIfNoEntry: false }));
  return stats === undefined ? undefined : toKind(stats);
}

/**
 * A file or link as an input. The executable bit is git's notion of it, the owner's execute bit of the file itself: that is what the
 * builder reads, no umask clears it, and it is there without a repository, so the ID is the same in a clone, in an exported tree and
 * inside the build. (The index may differ from the file where `core.fileMode` is off, and then the builder follows the file.)
 */
export function readLocalInput(context: string, path: string, kind: "file" | "link"): LocalInput {
  const absolute = join(context, path);
  const stats = unlessUnreadable(path, () => lstatSync(absolute));
  if (kind === "link")
    return {
      path,
      kind: "l",
      size: 0,
      target: decodeName(readlinkSync(absolute, { encoding: "buffer" }), path),
    };
  const executable: InputKind = (stats.mode & 0o100) === 0 ? "f" : "x";
  return { path, kind: executable, size: stats.size };
}

function toKind(
  entry: Pick<Dirent<Buffer>, "isFile" | "isDirectory" | "isSymbolicLink">,
): ContextName["kind"] {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  return entry.isSymbolicLink() ? "link" : "special";
}

function decodeName(bytes: Buffer, path: string): string {
  const text = bytes.toString("utf8");
  if (Buffer.from(text, "utf8").equals(bytes)) return text;
  const subject = path === "" ? "the context" : path;
  throw imageError("image.path-not-utf8", {
    subject,
    expected: "names in UTF-8",
    got: toShownText(bytes.toString("latin1")),
  });
}

function unlessUnreadable<Value>(path: string, read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    const got = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw imageError("image.input-unreadable", {
      subject: path === "" ? "the context" : path,
      expected: "to read it",
      got,
      cause,
    });
  }
}
