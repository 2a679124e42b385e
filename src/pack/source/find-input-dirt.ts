import { realpath } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { findDirty } from "./find-dirty.ts";
import { type Repository, readRepository } from "./read-repository.ts";
import type { SourceRequest } from "./read-source.ts";

/**
 * The pack's own inputs that its commit does not hold (requirement B9). The pack's folder may be reached through a link;
 * below it a link leads to bytes that no commit vouches for, wherever it leads, so it is listed and never dropped.
 * @throws pack.git-failed
 */
export async function findInputDirt(request: SourceRequest, repository: Repository): Promise<string[]> {
  const { top } = repository;
  const packDir = await realpath(request.packDir);
  const places = request.files.map((file) => ({
    file,
    real: join(packDir, relative(request.packDir, file)),
  }));
  const inside = places.filter(({ real }) => isWithin(top, real));
  const read = inside.flatMap(({ file, real }) => {
    const bytes = request.read?.get(file);
    return bytes === undefined ? [] : [[relative(top, real), bytes] as const];
  });
  const outside = places.filter(({ real }) => !isWithin(top, real)).map(({ real }) => real);
  const strays = [...(isWithin(top, packDir) ? [] : [packDir]), ...outside];
  const linked = await Promise.all(inside.map(({ real }) => findLinkedFolder(top, real)));
  const dirty = await findDirty(repository, {
    files: inside.map(({ real }) => relative(top, real)),
    roots: isWithin(top, packDir) ? [relative(top, packDir)] : [],
    read: new Map(read),
  });
  return [...strays.map((path) => `${path} (outside the repository)`), ...linked.flat(), ...dirty];
}

/**
 * The tool's own sources that their repository's commit does not hold, each named as the tool's where that is another
 * repository than the pack's. Sources that stand in no repository, or are ignored by it, are nobody's commit.
 * @throws pack.git-failed
 */
export async function findToolDirt(sources: readonly string[], pack: Repository): Promise<string[]> {
  const folders = [...new Set(sources.map((source) => dirname(source)))];
  const found = folders.map(async (folder) => {
    const repository = await readRepository(folder);
    if (repository === undefined) return [];
    const below = relative(repository.top, await realpath(folder));
    const names = sources.filter((source) => dirname(source) === folder).map((source) => basename(source));
    const dirty = await findDirty(repository, {
      files: [],
      roots: names.map((name) => join(below, name)),
      read: new Map(),
    });
    return repository.top === pack.top ? dirty : dirty.map((finding) => `the tool's own ${finding}`);
  });
  return (await Promise.all(found)).flat();
}

/** A folder on the way to a file that is a link; the file itself is looked at with all others. */
async function findLinkedFolder(top: string, file: string): Promise<string[]> {
  const folder = dirname(file);
  const real = await realpath(folder).catch(() => folder);
  return real === folder ? [] : [`${relative(top, file)} (reached through a link)`];
}

function isWithin(top: string, path: string): boolean {
  const below = relative(top, path);
  return below !== ".." && !below.startsWith(`..${sep}`);
}
