import { createHash } from "node:crypto";
import { isSealpackError } from "../../errors.ts";
import { maxManifestBytes } from "../../manifest/parse-document.ts";
import { parseManifest } from "../../manifest/parse-manifest.ts";
import { readControlFile } from "../../manifest/read-control-file.ts";
import { verifyPack } from "../../manifest/verify-pack.ts";
import { compareFindings } from "../../tree/diff-tree.ts";
import type { Finding } from "../../tree/finding.ts";
import { findNotRoot } from "./find-not-root.ts";
import type { RemoteReport } from "./remote-report.ts";

export interface VerifyRemoteOptions {
  /** Of the expected sealpack.json's bytes: it binds all the rest. */
  readonly manifestSha256: string;
  /** Whether every entry must belong to root; not so for a pack that the user has just staged. */
  readonly rootOwned: boolean;
}

/** Verifies a whole pack where it stands. */
export async function verifyRemote(root: string, options: VerifyRemoteOptions): Promise<RemoteReport> {
  const started = performance.now();
  const { findings, entries, bytes } = await look(root, options);
  const counts: Record<string, number> = {};
  for (const { code } of findings) counts[code] = (counts[code] ?? 0) + 1;
  const milliseconds = Math.round(performance.now() - started);
  return { ok: findings.length === 0, counts, findings, entries, bytes, milliseconds };
}

interface Look {
  readonly findings: readonly Finding[];
  readonly entries: number;
  readonly bytes: number;
}

async function look(root: string, { manifestSha256, rootOwned }: VerifyRemoteOptions): Promise<Look> {
  const manifest = readExpected(root, manifestSha256);
  if ("code" in manifest) return { findings: [manifest], entries: 0, bytes: 0 };
  const { findings, listing } = await verifyPack(root, { manifest });
  const foreign = rootOwned && listing !== undefined ? findNotRoot(root, listing, findings.length === 0) : [];
  return {
    findings: [...findings, ...foreign].sort(compareFindings),
    entries: listing?.entries.length ?? 0,
    bytes: listing?.bytes ?? 0,
  };
}

function readExpected(root: string, sha256: string): ReturnType<typeof parseManifest> | Finding {
  const path = "sealpack.json";
  try {
    const bytes = readControlFile(root, path, maxManifestBytes);
    const got = createHash("sha256").update(bytes).digest("hex");
    if (got === sha256) return parseManifest(bytes);
    return { code: "manifest.not-the-trusted", path, expected: `SHA-256 ${sha256}`, got };
  } catch (error) {
    if (!isSealpackError(error)) throw error;
    return { code: error.code, path, expected: "the expected manifest", got: error.message };
  }
}
