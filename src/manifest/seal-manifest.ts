import { createHash } from "node:crypto";
import { printJson } from "./print-json.ts";
import type { Manifest, ManifestBridge, Payload } from "./types.ts";

/** Payload to manifest. */
export function sealManifest(payload: Payload): Manifest {
  return { schema: "sealpack/manifest/v1", digest: digestPayload(payload), payload };
}

/** `sha256:` and 64 hex over the payload in RFC 8785 form: the manifest digest. */
export function digestPayload(payload: Payload): string {
  return `sha256:${digestJson(payload)}`;
}

/** 64 hex over the bridges in RFC 8785 form: `bridgeDigest`. */
export function digestBridges(bridges: Readonly<Record<string, ManifestBridge>>): string {
  return digestJson(bridges);
}

function digestJson(value: unknown): string {
  return createHash("sha256").update(printJson(value, 0)).digest("hex");
}
