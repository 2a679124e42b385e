import valid from "semver/functions/valid.js";
import { comparePaths } from "../tree/path-order.ts";
import type { LockEntry, ParsedLock } from "./entry.ts";
import { lockError } from "./errors.ts";
import {
  type JsonObject,
  malformed,
  parseJsonObject,
  toFlag,
  toObject,
  toOptionalText,
  toText,
  toTextList,
} from "./json-shape.ts";
import { toRootManifest } from "./parse-root-manifest.ts";

export const maximumLockBytes = 16 * 1024 * 1024;
const maximumEntries = 20_000;

/** Features that make npm change a package after unpacking it; a pack would hold something else than npm's tree. */
const unsupportedKeys = ["patched", "packageExtensionsApplied", "npmExtensionApplied"];

/**
 * Reads an npm lock, lockfileVersion 3. Shape only: what its entries may say is policy.
 * @throws lock.crlf, lock.too-large, lock.not-json, lock.version-1, lock.version-2, lock.version-unknown, lock.malformed
 */
export function parseLock(bytes: Uint8Array, file: string): ParsedLock {
  if (bytes.includes(0x0d)) {
    throw lockError("lock.crlf", {
      subject: file,
      expected: "lines that end in \\n",
      got: "a carriage return",
    });
  }
  const lock = parseJsonObject(bytes, file, maximumLockBytes);
  assertVersion(lock, file);
  const packages = toObject(lock.packages, `${file}: packages`);
  const locations = Object.keys(packages).filter((location) => location !== "");
  if (locations.length > maximumEntries) {
    const expected = `at most ${maximumEntries} entries`;
    throw lockError("lock.too-large", { subject: file, expected, got: `${locations.length}` });
  }
  const root = toObject(packages[""], `${file}: the root entry`);
  return {
    root: toRootManifest(root, file),
    entries: locations.sort(comparePaths).map((location) => toEntry(location, packages[location])),
  };
}

function assertVersion(lock: JsonObject, file: string): void {
  const version = lock.lockfileVersion;
  if (version === 3) return;
  // The first npm wrote none.
  const code =
    version === 1 || (version === undefined && lock.dependencies !== undefined)
      ? "lock.version-1"
      : version === 2
        ? "lock.version-2"
        : "lock.version-unknown";
  throw lockError(code, { subject: file, expected: "lockfileVersion 3", got: String(version) });
}

function toEntry(location: string, value: unknown): LockEntry {
  const entry = toObject(value, location);
  const folder = toFolder(location);
  const link = toFlag(entry.link, `${location}: link`);
  const optional = {
    integrity: toOptionalText(entry.integrity, `${location}: integrity`),
    resolved: toOptionalText(entry.resolved, `${location}: resolved`),
  };
  return {
    location,
    folder,
    name: toOptionalText(entry.name, `${location}: name`) ?? folder,
    version: link ? "" : toVersion(entry.version, location),
    ...(optional.integrity === undefined ? {} : { integrity: optional.integrity }),
    ...(optional.resolved === undefined ? {} : { resolved: optional.resolved }),
    link,
    inBundle: toFlag(entry.inBundle, `${location}: inBundle`),
    bundles: toBundles(entry.bundleDependencies ?? entry.bundledDependencies, location),
    hasInstallScript: toFlag(entry.hasInstallScript, `${location}: hasInstallScript`),
    hasShrinkwrap: toFlag(entry.hasShrinkwrap, `${location}: hasShrinkwrap`),
    os: toTextList(entry.os, `${location}: os`),
    cpu: toTextList(entry.cpu, `${location}: cpu`),
    libc: toTextList(entry.libc, `${location}: libc`),
    commands: toCommands(entry.bin, folder, location),
    unsupported: unsupportedKeys.filter((key) => entry[key] !== undefined),
  };
}

/** The part after the last `node_modules/`; for other locations the location itself, which policy refuses. */
function toFolder(location: string): string {
  return location.slice(
    location.lastIndexOf("node_modules/") + (location.includes("node_modules/") ? 13 : 1),
  );
}

function toVersion(value: unknown, location: string): string {
  const version = toText(value, `${location}: version`);
  if (valid(version) !== version) throw malformed(`${location}: version`, "one exact version", value);
  return version;
}

function toBundles(value: unknown, location: string): readonly string[] | boolean {
  return typeof value === "boolean" ? value : toTextList(value, `${location}: bundleDependencies`);
}

function toCommands(bin: unknown, folder: string, location: string): readonly string[] {
  if (bin === undefined) return [];
  if (typeof bin === "string") return [folder.slice(folder.indexOf("/") + 1)];
  return Object.keys(toObject(bin, `${location}: bin`)).sort(comparePaths);
}
