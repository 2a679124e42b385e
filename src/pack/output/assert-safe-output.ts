import { realpath } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { packError } from "../errors.ts";

/** Places that a build must never replace or hide. All absolute; undefined where there is none. */
export interface ProtectedPlaces {
  readonly packDir: string;
  readonly cwd: string;
  readonly home: string;
  readonly repository: string | undefined;
}

/**
 * The output's real path, refused where it is, or holds, a protected place (requirement B11).
 * @throws pack.output-unsafe
 */
export async function assertSafeOutput(out: string, places: ProtectedPlaces): Promise<string> {
  const target = await toRealPath(resolve(places.cwd, out));
  const rules: readonly (readonly [string, string | undefined])[] = [
    ["the root of the file system", "/"],
    ["the home directory", places.home],
    ["the repository", places.repository],
    ["the pack's own folder", places.packDir],
    ["the working directory", places.cwd],
  ];
  for (const [name, place] of rules) {
    if (place === undefined) continue;
    const real = await realpath(place).catch(() => resolve(place));
    if (isWithin(real, target)) throw unsafe(target, `it is or holds ${name}`);
  }
  if (isWithin(target, await realpath(places.packDir)))
    throw unsafe(target, "it is inside the pack's own folder");
  if (target.split(sep).includes(".git")) throw unsafe(target, "it is inside a git directory");
  return target;
}

/** Whether `path` is `directory` or lies below it. Both absolute and resolved. */
export function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}

/** Resolves the links of the longest existing part; the last name stays as given, so that a link there is seen. */
async function toRealPath(path: string): Promise<string> {
  const parent = dirname(path);
  if (parent === path) return path;
  const real = await realpath(parent).catch(() => undefined);
  return join(real ?? (await toRealPath(parent)), basename(path));
}

function unsafe(out: string, got: string) {
  return packError("pack.output-unsafe", { subject: out, expected: "a directory of its own", got });
}
