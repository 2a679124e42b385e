import { createHash } from "node:crypto";
import { type ExitCode, isSealpackError } from "../errors.ts";
import { compareFindings } from "../tree/diff-tree.ts";
import type { Listing } from "../tree/entry.ts";
import { treeErrors } from "../tree/errors.ts";
import type { Finding } from "../tree/finding.ts";
import { treeLimits } from "../tree/limits.ts";
import { parseListing } from "../tree/parse-listing.ts";
import { resolveRoot } from "../tree/resolve-root.ts";
import { showPath } from "../tree/show-path.ts";
import { verifyTree } from "../tree/verify-tree.ts";
import { diffListing } from "./diff-listing.ts";
import { manifestErrors } from "./errors.ts";
import { maxManifestBytes } from "./parse-document.ts";
import { parseManifest } from "./parse-manifest.ts";
import { printManifest } from "./print-manifest.ts";
import { readControlFile } from "./read-control-file.ts";
import type { Manifest } from "./types.ts";

/** What verifying a pack came to. `ok` means that everything was checked and nothing is wrong. */
export interface PackReport {
  readonly ok: boolean;
  /** False where no trusted manifest was given: an `ok` pack is then self-consistent only (design 10). */
  readonly trusted: boolean;
  /** As read from the pack, where it could be. */
  readonly manifest?: Manifest;
  readonly listing?: Listing;
  /** Sorted by path bytes, then code. */
  readonly findings: readonly Finding[];
  /** Some finding says that something could not be checked. */
  readonly couldNotCheck: boolean;
}

/**
 * Verifies a sealed pack: manifest, listing, then the whole tree. Stops at the first of the three that is wrong, since
 * the next is only as good as the one that binds it. Never throws for what the pack holds.
 */
export async function verifyPack(
  root: string,
  options: { readonly manifest?: Manifest } = {},
): Promise<PackReport> {
  const trusted = options.manifest !== undefined;
  const pack: { manifest?: Manifest; listing?: Listing } = {};
  const findings = await verifySteps(root, options.manifest, pack);
  const sorted = [...findings].sort(compareFindings);
  const couldNotCheck = sorted.some((finding) => exitOfCode(finding.code) === 3);
  return { ok: sorted.length === 0, trusted, ...pack, findings: sorted, couldNotCheck };
}

/** 0 where everything was checked and is right; 1 where something is wrong; 3 where the worst is that it could not be checked. */
export function exitOf(report: Pick<PackReport, "findings">): 0 | ExitCode {
  const exits = report.findings.map((finding) => exitOfCode(finding.code));
  if (exits.length === 0) return 0;
  if (exits.includes(1)) return 1;
  return exits.includes(3) ? 3 : 2;
}

async function verifySteps(
  root: string,
  trusted: Manifest | undefined,
  pack: { manifest?: Manifest; listing?: Listing },
): Promise<readonly Finding[]> {
  try {
    const absolute = asFinding(".", () => resolveRoot(root));
    pack.manifest = readManifest(absolute, trusted);
    pack.listing = readListing(absolute, pack.manifest);
    const found = verifyTree(absolute, pack.listing);
    return [...diffListing(pack.manifest.payload, pack.listing), ...(await found)];
  } catch (error) {
    if (error instanceof FoundWrong) return [error.finding];
    throw error;
  }
}

/** A step's end by a finding, so that the steps read as a list. Never leaves this file. */
class FoundWrong extends Error {
  readonly finding: Finding;

  constructor(finding: Finding) {
    super(finding.code);
    this.finding = finding;
  }
}

function readManifest(root: string, trusted: Manifest | undefined): Manifest {
  const bytes = asFinding("sealpack.json", () => readControlFile(root, "sealpack.json", maxManifestBytes));
  if (trusted !== undefined && Buffer.compare(bytes, printManifest(trusted)) !== 0) {
    throw notTrusted(bytes, trusted);
  }
  return asFinding("sealpack.json", () => parseManifest(bytes));
}

function notTrusted(bytes: Buffer, trusted: Manifest): FoundWrong {
  return new FoundWrong({
    code: "manifest.not-the-trusted",
    path: "sealpack.json",
    expected: trusted.digest,
    got: digestOrReason(bytes),
  });
}

function digestOrReason(bytes: Buffer): string {
  try {
    return parseManifest(bytes).digest;
  } catch (error) {
    return isSealpackError(error) ? error.code : "no manifest";
  }
}

function readListing(root: string, manifest: Manifest): Listing {
  const name = "sealpack.tree";
  const bytes = asFinding(name, () => readControlFile(root, name, treeLimits.listingBytes));
  return asFinding(name, () => parseBound(bytes, manifest.payload.tree.digest));
}

/** The digest first: a listing that the manifest does not bind is not worth parsing, and whose it is, is unknown. */
function parseBound(bytes: Buffer, digest: string): Listing {
  const got = createHash("sha256").update(bytes).digest("hex");
  if (got === digest) return parseListing(bytes);
  throw new FoundWrong({ code: "manifest.tree-digest", path: "sealpack.tree", expected: digest, got });
}

function asFinding<T>(path: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (!isSealpackError(error)) throw error;
    throw new FoundWrong({
      code: error.code,
      path,
      expected: path === "." ? "a directory" : "a sound file",
      got: showPath(error.message),
    });
  }
}

/** A code outside the tables of this room and the one below cannot occur; it would count as wrong. */
function exitOfCode(code: string): ExitCode {
  const table: Readonly<Record<string, { readonly exit: ExitCode }>> = { ...treeErrors, ...manifestErrors };
  return table[code]?.exit ?? 1;
}
