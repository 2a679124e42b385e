import { createHash, type Hash } from "node:crypto";
import { archiveError } from "./errors.ts";

export type Algorithm = "sha1" | "sha256" | "sha384" | "sha512";

/** A parsed SRI: one base64 digest for each algorithm, sha512 always among them. */
export type Integrity = ReadonlyMap<Algorithm, string>;

const digestBytes: Readonly<Record<Algorithm, number>> = { sha1: 20, sha256: 32, sha384: 48, sha512: 64 };

/**
 * Parses an SRI string as lockfiles have it: `sha512-<base64>`, several apart by spaces.
 * @throws archive.integrity-format, archive.integrity-conflict, archive.integrity-weak
 */
export function parseIntegrity(text: string, subject: string): Integrity {
  const digests = new Map<Algorithm, string>();
  for (const token of text.trim().split(/\s+/)) {
    const [algorithm, digest] = parseToken(token, subject);
    if ((digests.get(algorithm) ?? digest) !== digest) {
      throw archiveError("archive.integrity-conflict", {
        subject,
        expected: `one ${algorithm} digest`,
        got: "two that differ",
      });
    }
    digests.set(algorithm, digest);
  }
  if (!digests.has("sha512")) {
    throw archiveError("archive.integrity-weak", {
      subject,
      expected: "a sha512 digest",
      got: [...digests.keys()].join(", "),
    });
  }
  return digests;
}

function parseToken(token: string, subject: string): [Algorithm, string] {
  const match = /^(sha1|sha256|sha384|sha512)-([A-Za-z0-9+/]+={0,2})$/.exec(token);
  const [, algorithm, digest] = match ?? [];
  if (algorithm !== undefined && digest !== undefined && isDigest(algorithm as Algorithm, digest)) {
    return [algorithm as Algorithm, digest];
  }
  throw archiveError("archive.integrity-format", {
    subject,
    expected: "sha512-<base64>",
    got: JSON.stringify(token.slice(0, 120)),
  });
}

function isDigest(algorithm: Algorithm, digest: string): boolean {
  const bytes = Buffer.from(digest, "base64");
  return bytes.length === digestBytes[algorithm] && bytes.toString("base64") === digest;
}

/** Hashes a stream of bytes with every algorithm of an integrity. */
export class IntegrityCheck {
  readonly #integrity: Integrity;
  readonly #hashes: ReadonlyMap<Algorithm, Hash>;

  constructor(integrity: Integrity) {
    this.#integrity = integrity;
    this.#hashes = new Map([...integrity.keys()].map((algorithm) => [algorithm, createHash(algorithm)]));
  }

  update(chunk: Uint8Array): void {
    for (const hash of this.#hashes.values()) hash.update(chunk);
  }

  /** The first disagreement, or undefined when every listed digest is that of the bytes. */
  finish(): { readonly expected: string; readonly got: string } | undefined {
    for (const [algorithm, hash] of this.#hashes) {
      const got = hash.digest("base64");
      const expected = this.#integrity.get(algorithm);
      if (got !== expected) return { expected: `${algorithm}-${expected}`, got: `${algorithm}-${got}` };
    }
    return undefined;
  }
}
