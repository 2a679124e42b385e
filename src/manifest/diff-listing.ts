import type { Entry, Listing } from "../tree/entry.ts";
import type { Finding } from "../tree/finding.ts";
import type { ManifestCode } from "./errors.ts";
import type { ExpectedPayload, ManifestFile } from "./types.ts";

/** A digest that the manifest gives for one file, and the kind of file that it must be. */
interface Claim extends ManifestFile {
  readonly executable: boolean;
}

/**
 * Where a manifest and the listing that it binds disagree. Pure: neither the tree nor the disk is looked at. Component
 * digests are not among it: which files were placed is not recorded, so only whoever trusts the manifest can trust them.
 */
export function diffListing(payload: ExpectedPayload, listing: Listing): Finding[] {
  const entries = new Map(listing.entries.map((entry) => [entry.path, entry]));
  return [
    ...diffCounts(payload, listing),
    ...toClaims(payload).flatMap((claim) => diffClaim(claim, entries.get(claim.path))),
    ...diffBridges(payload),
    ...diffCandidates(payload, entries),
  ];
}

function diffCounts({ tree }: ExpectedPayload, listing: Listing): Finding[] {
  if (tree.entries === listing.entries.length && tree.bytes === listing.bytes) return [];
  const expected = `${tree.entries} entries, ${tree.bytes} bytes`;
  const got = `${listing.entries.length} entries, ${listing.bytes} bytes`;
  return [finding("manifest.tree-counts", "sealpack.tree", expected, got)];
}

/** Every file digest of a payload, each path and kind once. */
function toClaims(payload: ExpectedPayload): Claim[] {
  const { lock, interpreter } = payload;
  const claims: Claim[] = [{ path: lock.path, sha256: lock.sha256, executable: false }];
  if (isInterpreter(interpreter)) claims.push({ ...interpreter, executable: true });
  for (const command of Object.values(payload.commands)) {
    claims.push({ ...command.launcher, executable: true }, { ...command.executable, executable: true });
    if (command.entry !== undefined) claims.push({ ...command.entry, executable: false });
  }
  for (const bridge of Object.values(payload.bridges)) {
    if (!isPackage(payload, bridge.path)) claims.push({ ...bridge, executable: false });
  }
  return [...new Map(claims.map((claim) => [`${claim.path}\n${claim.sha256}`, claim])).values()];
}

function isInterpreter(value: ExpectedPayload["interpreter"]): value is ManifestFile & typeof value {
  return "path" in value;
}

function isPackage(payload: ExpectedPayload, path: string): boolean {
  return Object.hasOwn(payload.components, path);
}

/** An entry script and a compiled bridge are run by the interpreter: their execute bits do not matter. */
function diffClaim(claim: Claim, entry: Entry | undefined): Finding[] {
  if (entry === undefined || entry.type === "d" || (claim.executable && entry.type !== "x")) {
    const expected = claim.executable ? "an executable file" : "a file";
    return [finding("manifest.file-not-listed", claim.path, expected, entry?.type ?? "no line")];
  }
  if (entry.digest === claim.sha256) return [];
  return [finding("manifest.file-digest", claim.path, claim.sha256, entry.digest)];
}

/** A bridge that is a package has its component's digest (design 2). */
function diffBridges(payload: ExpectedPayload): Finding[] {
  return Object.values(payload.bridges).flatMap((bridge) => {
    const component = Object.hasOwn(payload.components, bridge.path)
      ? payload.components[bridge.path]
      : undefined;
    if (component === undefined || component.digest === bridge.sha256) return [];
    return [finding("manifest.bridge-component", bridge.path, bridge.sha256, component.digest)];
  });
}

function diffCandidates(payload: ExpectedPayload, entries: ReadonlyMap<string, Entry>): Finding[] {
  return Object.values(payload.candidates)
    .filter((candidate) => entries.get(candidate.path)?.type !== "d")
    .map((candidate) =>
      finding("manifest.candidate-not-listed", candidate.path, "a directory", "no such line"),
    );
}

function finding(code: ManifestCode, path: string, expected: string, got: string): Finding {
  return { code, path, expected, got };
}
