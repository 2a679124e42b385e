import { digestBridges } from "./seal-manifest.ts";
import { show, wrong } from "./shape.ts";
import type { ExpectedPayload, Payload } from "./types.ts";

/** A release names its full revision; anything else at least 7 digits of one (requirement B9). */
export function assertRevision({ sourceRevision, release }: Payload): void {
  const form = release ? /^[0-9a-f]{40}$/ : /^[0-9a-f]{7,40}$/;
  if (form.test(sourceRevision)) return;
  const expected = release ? "40 lowercase hex digits" : "7 to 40 lowercase hex digits";
  throw wrong("manifest.source-revision", "payload.sourceRevision", expected, show(sourceRevision));
}

export function assertBridgeDigest({ bridges, bridgeDigest }: ExpectedPayload): void {
  const digest = digestBridges(bridges);
  if (digest === bridgeDigest) return;
  throw wrong("manifest.bridge-digest", "payload.bridgeDigest", digest, bridgeDigest);
}
