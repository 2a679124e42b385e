import { foldPath } from "../tree/fold-path.ts";
import { type ArchiveCode, archiveError } from "./errors.ts";
import type { Limits } from "./limits.ts";

type Made = { readonly path: string; readonly kind: "file" | "directory"; explicit: boolean };

/** Every path of one archive, so that no two entries meet at one place on any file system. */
export class PathRegistry {
  readonly #limits: Limits;
  readonly #made = new Map<string, Made>();
  #characters = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /**
   * Registers an entry and its parents; returns the directories that are new, outermost first.
   * @throws archive.path-duplicate, -collision, -conflict, archive.too-many-entries, archive.paths-too-large
   */
  add(path: string, kind: "file" | "directory", subject: string): readonly string[] {
    const fresh = this.#addParents(path, subject);
    const known = this.#find(path, kind, subject);
    if (known?.explicit) throw refuse("archive.path-duplicate", subject, "each path once", "twice");
    if (known) known.explicit = true;
    else this.#remember({ path, kind, explicit: true }, subject);
    return known === undefined && kind === "directory" ? [...fresh, path] : fresh;
  }

  #addParents(path: string, subject: string): string[] {
    const fresh: string[] = [];
    for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1)) {
      const parent = path.slice(0, slash);
      if (this.#find(parent, "directory", subject)) break;
      this.#remember({ path: parent, kind: "directory", explicit: false }, subject);
      fresh.unshift(parent);
    }
    return fresh;
  }

  /** What stands at this path already, if it may: the same spelling and the same kind. */
  #find(path: string, kind: Made["kind"], subject: string): Made | undefined {
    const known = this.#made.get(foldPath(path));
    if (known === undefined) return undefined;
    if (known.path !== path) {
      throw refuse(
        "archive.path-collision",
        subject,
        `no path like ${JSON.stringify(known.path)}`,
        JSON.stringify(path),
      );
    }
    if (known.kind !== kind) throw refuse("archive.path-conflict", subject, `a ${known.kind}`, `a ${kind}`);
    return known;
  }

  #remember(made: Made, subject: string): void {
    this.#made.set(foldPath(made.path), made);
    this.#characters += 2 * made.path.length;
    if (this.#made.size > this.#limits.entries) {
      throw refuse("archive.too-many-entries", subject, `at most ${this.#limits.entries}`, "more");
    }
    if (this.#characters > this.#limits.pathTotal) {
      throw refuse(
        "archive.paths-too-large",
        subject,
        `at most ${this.#limits.pathTotal} characters`,
        "more",
      );
    }
  }
}

function refuse(code: ArchiveCode, subject: string, expected: string, got: string) {
  return archiveError(code, { subject, expected, got });
}
