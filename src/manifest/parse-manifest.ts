import { assertBridgeDigest, assertRevision } from "./assert-invariants.ts";
import { assertCanonical, parseDocument } from "./parse-document.ts";
import { payloadShape } from "./payload-shape.ts";
import { printManifest } from "./print-manifest.ts";
import { digestPayload } from "./seal-manifest.ts";
import { record, show, text, wrong } from "./shape.ts";
import type { Manifest } from "./types.ts";

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

const manifestShape = record({ schema: text, digest: text, payload: payloadShape });
