import { lstatSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import type { ManifestRequires } from "../../manifest/types.ts";
import { comparePaths } from "../../tree/path-order.ts";
import { hostNeedsError } from "./errors.ts";
import { type ElfFile, isElfFile, readElf } from "./read-elf.ts";
import { toHighestVersion } from "./version-need.ts";

export type HostNeeds = Omit<ManifestRequires, "cpu">;

const closureLimit = 1_000;

/**
 * What the executables need from the host: the closure of DT_NEEDED, followed into the pack where a RUNPATH leads.
 * `executables` are paths below `root`. Files that are not ELF (Mach-O of a darwin target) need nothing that is listed.
 * @throws host-needs.malformed-elf, host-needs.closure-too-large
 */
export async function readHostNeeds(root: string, executables: readonly string[]): Promise<HostNeeds> {
  const interpreters = new Set<string>();
  const libraries = new Set<string>();
  const versions: string[] = [];
  const seen = new Set(executables);
  for (const path of seen) {
    if (!(await isElfFile(join(root, path)))) continue;
    const elf = await readElf(join(root, path), path);
    if (elf.interpreter !== undefined && executables.includes(path)) interpreters.add(elf.interpreter);
    const inside = await resolveInside(root, path, elf);
    for (const found of inside.values()) seen.add(found);
    if (seen.size > closureLimit) throw toTooLarge(path);
    const outside = elf.needed.filter((name) => !inside.has(name));
    for (const name of outside) libraries.add(name);
    versions.push(...elf.versions.filter(({ library }) => !inside.has(library)).map(({ name }) => name));
  }
  return {
    elfInterpreters: [...interpreters].sort(comparePaths),
    libraries: [...libraries].sort(comparePaths),
    glibc: toHighestVersion(versions, "GLIBC"),
    glibcxx: toHighestVersion(versions, "GLIBCXX"),
  };
}

/** Library name to its path below the root, for those that the file's own search path finds inside the pack. */
async function resolveInside(root: string, path: string, elf: ElfFile): Promise<Map<string, string>> {
  const folders = elf.runpath.flatMap((text) => toFolder(path, text) ?? []);
  const found = new Map<string, string>();
  for (const name of elf.needed) {
    for (const folder of name.includes("/") ? [] : folders) {
      const candidate = join(folder, name);
      if (found.has(name) || !isFile(join(root, candidate))) continue;
      // The dynamic linker goes on searching where a file is for another machine.
      const library = await readElf(join(root, candidate), candidate);
      if (library.machine === elf.machine) found.set(name, candidate);
    }
  }
  return found;
}

/** A folder below the root for one word of a search path, or undefined: outside, absolute, or a word we do not know. */
export function toFolder(path: string, word: string): string | undefined {
  const match = /^\$(?:ORIGIN|\{ORIGIN\})(\/.*)?$/.exec(word);
  if (match === null || match[1]?.includes("$") === true) return undefined;
  const folder = normalize(join(dirname(path), match[1] ?? ""));
  return folder === ".." || folder.startsWith("../") ? undefined : folder;
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function toTooLarge(subject: string): Error {
  const expected = `at most ${closureLimit} files in its closure`;
  return hostNeedsError("host-needs.closure-too-large", { subject, expected, got: "more" });
}
