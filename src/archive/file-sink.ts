import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  lstatSync,
  mkdirSync,
  openSync,
  writeSync,
} from "node:fs";
import { archiveError } from "./errors.ts";
import type { Limits } from "./limits.ts";
import { PathRegistry } from "./path-registry.ts";
import { assertSafePath } from "./path-rules.ts";
import { showText } from "./show-text.ts";
import type { EntrySink, TarEntry } from "./tar-reader.ts";

const createOnly = constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW | constants.O_WRONLY;

/**
 * Writes entries below a directory that only we write to. The first name of every path is stripped, as npm does.
 * Files are created anew or not at all; modes are 755 (owner may execute) or 644, whatever the umask.
 */
export class FileSink implements EntrySink {
  readonly #destination: string;
  readonly #limits: Limits;
  readonly #label: string;
  readonly #registry: PathRegistry;
  #descriptor: number | undefined;
  #subject = "";
  #files = 0;
  #bytes = 0;

  constructor(destination: string, limits: Limits, label: string) {
    this.#destination = destination;
    this.#limits = limits;
    this.#label = label;
    this.#registry = new PathRegistry(limits);
  }

  get written(): { readonly files: number; readonly bytes: number } {
    return { files: this.#files, bytes: this.#bytes };
  }

  open(entry: TarEntry): void {
    this.#subject = `${this.#label}: ${showText(entry.path)}`;
    assertSafePath(entry.path, this.#subject, this.#limits);
    const slash = entry.path.indexOf("/");
    if (slash < 0 && entry.kind === "directory") return;
    if (slash < 0) {
      throw archiveError("archive.path-rootless", {
        subject: this.#subject,
        expected: "<folder>/<path>",
        got: "a single name",
      });
    }
    const path = entry.path.slice(slash + 1);
    for (const directory of this.#registry.add(path, entry.kind, this.#subject))
      this.#makeDirectory(directory);
    if (entry.kind === "file") this.#createFile(path, entry.mode);
  }

  write(chunk: Uint8Array): void {
    const descriptor = this.#descriptor;
    if (descriptor === undefined) return;
    this.#bytes += chunk.length;
    this.#attempt(() => {
      for (let offset = 0; offset < chunk.length; ) offset += writeSync(descriptor, chunk, offset);
    });
  }

  /** Ends the open file, if any. Safe to call again. */
  close(): void {
    const descriptor = this.#descriptor;
    this.#descriptor = undefined;
    if (descriptor !== undefined) this.#attempt(() => closeSync(descriptor));
  }

  #createFile(path: string, mode: number): void {
    this.#attempt(() => {
      const descriptor = openSync(`${this.#destination}/${path}`, createOnly, 0o600);
      this.#descriptor = descriptor;
      fchmodSync(descriptor, mode & 0o100 ? 0o755 : 0o644);
    });
    this.#files += 1;
  }

  /** A directory may be there already: packages are unpacked inside one another. Anything else may not. */
  #makeDirectory(path: string): void {
    const full = `${this.#destination}/${path}`;
    this.#attempt(() => {
      try {
        mkdirSync(full, 0o755);
        chmodSync(full, 0o755);
      } catch (error) {
        if (!isExisting(error) || !lstatSync(full).isDirectory()) throw error;
      }
    });
  }

  #attempt(act: () => void): void {
    try {
      act();
    } catch (cause) {
      const subject = this.#subject;
      if (isExisting(cause)) {
        throw archiveError("archive.path-occupied", {
          subject,
          expected: "nothing there",
          got: "a file",
          cause,
        });
      }
      const got = (cause as NodeJS.ErrnoException).code ?? "an error";
      throw archiveError("archive.write-failed", { subject, expected: "to write it", got, cause });
    }
  }
}

function isExisting(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === "EEXIST" || code === "ELOOP";
}
