import type { RootManifest } from "./entry.ts";
import { lockError } from "./errors.ts";
import { type JsonObject, parseJsonObject, toOptionalText, toStringMap } from "./json-shape.ts";

export const maximumRootBytes = 1024 * 1024;

/**
 * npm features of a root package.json that would take packages from folders, change their manifests or patch their files.
 * `bundleDependencies` would let a top-level entry do without an integrity.
 */
const unsupportedKeys = [
  "workspaces",
  "packageExtensions",
  "patchedDependencies",
  "bundleDependencies",
  "bundledDependencies",
];

/**
 * Reads a pack's package.json as far as it decides about the lock.
 * @throws lock.too-large, lock.not-json, lock.malformed, lock.unsupported-feature
 */
export function parseRootManifest(bytes: Uint8Array, file: string): RootManifest {
  const value = parseJsonObject(bytes, file, maximumRootBytes);
  const key = unsupportedKeys.find((name) => value[name] !== undefined);
  if (key !== undefined) {
    throw lockError("lock.unsupported-feature", { subject: file, expected: `no ${key}`, got: key });
  }
  return toRootManifest(value, file);
}

/** What npm copies into a lock; a name that is in both maps is optional, which is npm's rule. */
export function toRootManifest(value: JsonObject, subject: string): RootManifest {
  const optionalDependencies = toStringMap(value.optionalDependencies, `${subject}: optionalDependencies`);
  const dependencies = toStringMap(value.dependencies, `${subject}: dependencies`);
  return {
    name: toOptionalText(value.name, `${subject}: name`) ?? "",
    version: toOptionalText(value.version, `${subject}: version`) ?? "",
    dependencies: Object.fromEntries(
      Object.entries(dependencies).filter(([name]) => !Object.hasOwn(optionalDependencies, name)),
    ),
    devDependencies: toStringMap(value.devDependencies, `${subject}: devDependencies`),
    optionalDependencies,
    peerDependencies: toStringMap(value.peerDependencies, `${subject}: peerDependencies`),
  };
}
