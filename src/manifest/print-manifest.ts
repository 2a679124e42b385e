import { createHash } from "node:crypto";
import { printJson } from "./print-json.ts";
import type { ExpectedDocument, ExpectedPayload, Manifest, ManifestBridge, Payload } from "./types.ts";

/** A manifest's bytes on disk (design 3): sorted keys, two spaces, final newline. */
export function printManifest(manifest: Manifest): Buffer {
  return printDocument(manifest);
}

/** The bytes of a committed `manifests/<pack>/<target>.json` (design 4). */
export function printExpected(document: ExpectedDocument): Buffer {
  return printDocument(document);
}

/** `sha256:` and 64 hex over the payload in RFC 8785 form: the manifest digest. */
export function digestPayload(payload: Payload): string {
  return `sha256:${digestJson(payload)}`;
}

/** 64 hex over the bridges in RFC 8785 form: `bridgeDigest`. */
export function digestBridges(bridges: Readonly<Record<string, ManifestBridge>>): string {
  return digestJson(bridges);
}

/** Payload to manifest. */
export function sealManifest(payload: Payload): Manifest {
  return { schema: "sealpack/manifest/v1", digest: digestPayload(payload), payload };
}

/** The payload without provenance: what two builds of one definition share. */
export function toExpectedPayload(payload: Payload): ExpectedPayload {
  const { sourceRevision: _revision, release: _release, ...expected } = payload;
  return expected;
}

/** The document that is committed for a payload. */
export function toExpectedDocument(payload: Payload): ExpectedDocument {
  return { schema: "sealpack/expected/v1", payload: toExpectedPayload(payload) };
}

function printDocument(document: Manifest | ExpectedDocument): Buffer {
  return Buffer.from(`${printJson(document, 2)}\n`);
}

function digestJson(value: unknown): string {
  return createHash("sha256").update(printJson(value, 0)).digest("hex");
}
