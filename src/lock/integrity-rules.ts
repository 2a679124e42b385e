import type { LockEntry } from "./entry.ts";
import type { LockCode } from "./errors.ts";
import { type EntryRule, toParent } from "./source-rules.ts";

/** Exactly one sha512, so that one entry can only mean one tarball (design 5). Bundled packages have none of their own. */
export const integrityRule: EntryRule = ({ location, integrity, inBundle, link }) => {
  if (inBundle || link) return [];
  const code = toIntegrityCode(integrity);
  if (code === undefined) return [];
  return [{ code, subject: location, expected: "one sha512", got: integrity?.slice(0, 200) ?? "none" }];
};

/** Whoever could mark any entry as bundled could do without integrities. */
export const bundleRule: EntryRule = (entry, { byLocation }) => {
  if (!entry.inBundle || toBundler(entry, byLocation) !== undefined) return [];
  const expected = "a parent with bundleDependencies";
  return [{ code: "lock.bundle-orphan", subject: entry.location, expected, got: "none" }];
};

/** Location of the package whose tarball brings a bundled one: the nearest parent that is not itself bundled. */
export function toBundler(entry: LockEntry, byLocation: ReadonlyMap<string, LockEntry>): string | undefined {
  for (let at = toParent(entry.location); at !== undefined; at = toParent(at)) {
    const parent = byLocation.get(at);
    if (parent === undefined) return undefined;
    if (!parent.inBundle) return isBundling(parent) ? at : undefined;
  }
  return undefined;
}

function isBundling({ bundles }: LockEntry): boolean {
  return bundles === true || (bundles !== false && bundles.length > 0);
}

function toIntegrityCode(integrity: string | undefined): LockCode | undefined {
  const digests = (integrity ?? "").split(/\s+/).filter((digest) => digest !== "");
  if (digests.length === 0) return "lock.integrity-missing";
  if (!digests.some((digest) => digest.startsWith("sha512-"))) return "lock.integrity-weak";
  if (digests.length > 1) return "lock.integrity-ambiguous";
  const base64 = (integrity as string).slice("sha512-".length);
  const bytes = Buffer.from(base64, "base64");
  const sound = bytes.length === 64 && bytes.toString("base64") === base64;
  return sound ? undefined : "lock.integrity-malformed";
}
