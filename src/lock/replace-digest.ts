import { isScalar } from "yaml";
import { parseYaml } from "../definition/yaml-document.ts";
import { lockError } from "./errors.ts";

/**
 * Puts another value in the place of `lock.sha256` in a pack.yaml and leaves every other byte alone: comments, order, quotes.
 * @throws lock.malformed where there is no such value, and what {@link parseYaml} throws
 */
export function replaceDigest(bytes: Uint8Array, sha256: string, file: string): Uint8Array {
  const { document, text } = parseYaml(bytes, file);
  const node = document.errors.length === 0 ? document.getIn(["lock", "sha256"], true) : undefined;
  if (!isScalar(node) || !node.range || node.type === "BLOCK_LITERAL" || node.type === "BLOCK_FOLDED") {
    throw lockError("lock.malformed", {
      subject: `${file}: lock.sha256`,
      expected: "one value on one line",
      got: isScalar(node) ? String(node.type) : "none",
      remedy: `Write \`lock: { path: package-lock.json, sha256: ${sha256} }\`.`,
    });
  }
  const [start, end] = node.range;
  return Buffer.from(text.slice(0, start) + toScalar(sha256, node.type) + text.slice(end));
}

/** A digest of digits alone would be a number without quotes. */
function toScalar(sha256: string, type: string | null | undefined): string {
  if (type === "QUOTE_SINGLE") return `'${sha256}'`;
  return type === "QUOTE_DOUBLE" || /^\d+(?:e\d+)?$/.test(sha256) ? `"${sha256}"` : sha256;
}
