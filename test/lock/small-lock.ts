import { createHash } from "node:crypto";
import type { PackDefinition } from "../../src/definition/pack-definition.ts";
import { judgeLock } from "../../src/lock/load-lock.ts";

type Json = Record<string, unknown>;

export const root = { name: "small", version: "1.0.0", dependencies: { a: "^1.0.0" } };

/** A definition that asks nothing of a lock. */
export function smallDefinition(changes: Partial<PackDefinition> = {}): PackDefinition {
  return {
    name: "small",
    lock: { path: "package-lock.json", sha256: "" },
    targets: ["linux-x64", "linux-arm64"],
    origins: [],
    place: [],
    commands: {},
    bridges: {},
    compiled: {},
    prerequisites: {},
    installScripts: [],
    omit: [],
    absent: [],
    patches: [],
    cpu: {},
    ...changes,
  };
}

/** A sound entry; its integrity is the sha512 of its words. */
export function entry(version = "1.0.0", changes: Json = {}): Json {
  const integrity = `sha512-${createHash("sha512")
    .update(JSON.stringify([version, changes]))
    .digest("base64")}`;
  return { version, integrity, ...changes };
}

/** Bytes of a lock as npm prints it: keys in order, two spaces. */
export function lockBytes(packages: Json, packageJson: Json = root, changes: Json = {}): Buffer {
  const { name, version } = packageJson;
  const { overrides: _, private: __, ...rootEntry } = packageJson;
  const lock = {
    name,
    version,
    lockfileVersion: 3,
    requires: true,
    packages: { "": rootEntry, ...packages },
    ...changes,
  };
  return Buffer.from(`${JSON.stringify(lock, null, 2)}\n`);
}

export interface SmallLock {
  /** Locations below `node_modules/`, without that prefix, to entries. */
  readonly packages: Json;
  readonly packageJson?: Json;
  /** What the lock says package.json was; by default what it is. */
  readonly lockedJson?: Json;
  readonly definition?: Partial<PackDefinition>;
}

/** Runs the policy on a small lock. */
export async function judge({ packages, packageJson = root, lockedJson, definition }: SmallLock) {
  const full = Object.fromEntries(
    Object.entries(packages).map(([key, value]) => [
      key.startsWith("./") ? key.slice(2) : `node_modules/${key}`,
      value,
    ]),
  );
  const bytes = lockBytes(full, lockedJson ?? packageJson);
  const files = {
    file: "package-lock.json",
    bytes,
    sha256: "",
    packageJson: Buffer.from(JSON.stringify(packageJson)),
  };
  const whole = smallDefinition(definition);
  return { ...(await judgeLock(files, whole, "package.json")), definition: whole };
}

/** The codes that the policy finds, in its order. */
export async function codesOf(lock: SmallLock): Promise<string[]> {
  return (await judge(lock)).problems.map((problem) => problem.code);
}
