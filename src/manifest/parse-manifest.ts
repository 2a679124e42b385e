import { assertCanonical, parseDocument } from "./parse-document.ts";
import { expectedPayloadShape, payloadShape } from "./payload-shape.ts";
import { digestBridges, digestPayload, printExpected, printManifest } from "./print-manifest.ts";
import { record, show, text, wrong } from "./shape.ts";
import type { ExpectedDocument, ExpectedPayload, Manifest, Payload } from "./types.ts";

const manifestShape = record({ schema: text, digest: text, payload: payloadShape });
const expectedShape = record({ schema: text, payload: expectedPayloadShape });

/**
 * The bytes of a `sealpack.json`, version 1 (design 3), which whoever made the pack controls.
 * @throws `manifest.*`, one code per cause
 */
export function parseManifest(bytes: Uint8Array): Manifest {
  const value: unknown = parseDocument(bytes, "sealpack/manifest/v1");
  manifestShape(value, "manifest");
  const manifest = value as Manifest;
  assertCanonical(bytes, printManifest(manifest));
  assertRevision(manifest.payload);
  assertBridgeDigest(manifest.payload);
  const digest = digestPayload(manifest.payload);
  if (manifest.digest !== digest) throw wrong("manifest.digest", "manifest", digest, show(manifest.digest));
  return manifest;
}

/**
 * The bytes of a committed `manifests/<pack>/<target>.json` (design 4).
 * @throws `manifest.*`, one code per cause
 */
export function parseExpected(bytes: Uint8Array): ExpectedDocument {
  const value: unknown = parseDocument(bytes, "sealpack/expected/v1");
  expectedShape(value, "expected");
  const document = value as ExpectedDocument;
  assertCanonical(bytes, printExpected(document));
  assertBridgeDigest(document.payload);
  return document;
}

/** A release names its full revision; anything else at least 7 digits of one (requirement B9). */
function assertRevision({ sourceRevision, release }: Payload): void {
  const form = release ? /^[0-9a-f]{40}$/ : /^[0-9a-f]{7,40}$/;
  if (form.test(sourceRevision)) return;
  const expected = release ? "40 lowercase hex digits" : "7 to 40 lowercase hex digits";
  throw wrong("manifest.source-revision", "manifest.payload.sourceRevision", expected, show(sourceRevision));
}

function assertBridgeDigest({ bridges, bridgeDigest }: ExpectedPayload): void {
  const digest = digestBridges(bridges);
  if (digest === bridgeDigest) return;
  throw wrong("manifest.bridge-digest", "manifest.payload.bridgeDigest", digest, bridgeDigest);
}
