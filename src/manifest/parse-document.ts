import { decodeName } from "../tree/show-path.ts";
import { show, wrong } from "./shape.ts";

/** 1 MiB; the real manifest has 60 KB (design 3). */
export const maxManifestBytes = 1024 * 1024;

/**
 * Bytes from outside to one JSON object of the given schema; nothing else about it is checked yet.
 * @throws `manifest.too-large`, `.byte-order-mark`, `.not-utf8`, `.not-json`, `.schema-unknown`
 */
export function parseDocument(bytes: Uint8Array, schema: string): Record<string, unknown> {
  if (bytes.length > maxManifestBytes) {
    throw wrong("manifest.too-large", "manifest", `at most ${maxManifestBytes} bytes`, String(bytes.length));
  }
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    throw wrong("manifest.byte-order-mark", "manifest", "no byte order mark", "one");
  }
  const text = decodeName(bytes);
  if (text === undefined) throw wrong("manifest.not-utf8", "manifest", "UTF-8", "other bytes");
  const value = parseJson(text);
  const found =
    typeof value === "object" && value !== null ? (value as { schema?: unknown }).schema : undefined;
  if (found !== schema) throw wrong("manifest.schema-unknown", "manifest", schema, show(found));
  return value as Record<string, unknown>;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw wrong("manifest.not-json", "manifest", "one JSON document", "something else");
  }
}

/** A reader prints what it parsed: that kills duplicate keys, odd escapes and trailing data (design 3). */
export function assertCanonical(bytes: Uint8Array, printed: Uint8Array): void {
  if (Buffer.compare(bytes, printed) === 0) return;
  throw wrong("manifest.not-canonical", "manifest", "the bytes that sealpack prints for it", "other bytes");
}
