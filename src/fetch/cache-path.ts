import { join } from "node:path";
import { parseIntegrity } from "../archive/integrity.ts";

/** Where an archive is kept: `<cache>/sha512/<2 hex>/<126 hex>`. Its address is its content. @throws archive.integrity-* */
export function toCachePath(cache: string, integrity: string, subject: string): string {
  const digest = parseIntegrity(integrity, subject).get("sha512") ?? "";
  const hex = Buffer.from(digest, "base64").toString("hex");
  return join(cache, "sha512", hex.slice(0, 2), hex.slice(2));
}
