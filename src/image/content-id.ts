import { createHash } from "node:crypto";
import type { InputKind } from "./local-input.ts";

/**
 * One input of an image, in the order of its fields. The content ID is the SHA-256 of all records and of nothing else: docs/image.md
 * holds the format.
 */
export type ImageRecord =
  | readonly [kind: "platform", platform: string]
  | readonly [kind: "frontend", reference: string]
  | readonly [kind: "image", reference: string]
  | readonly [kind: "download", url: string, checksum: string]
  | readonly [kind: "argument", name: string, value: string]
  | readonly [kind: "dockerfile", sha256: string]
  | readonly [kind: "input", path: string, type: InputKind, content: string]
  | readonly [kind: "derived", folder: string, path: string, type: InputKind, content: string];

/** First line of the hashed text. It changes with the format, so that an ID of another format is never equal by chance. */
export const contentIdFormat = "sealpack-image-id/v1";

/** One record a line: its fields as JSON strings with a TAB between, so that no value can reach into the next field or line. */
export function printRecord(record: ImageRecord): string {
  return record.map((field) => JSON.stringify(field)).join("\t");
}

/** The text that is hashed: the format's name, then the records without repetitions, sorted by their bytes, each with a final newline. */
export function printRecords(records: readonly ImageRecord[]): string {
  const lines = [...new Set(records.map(printRecord))].map((line) => Buffer.from(line));
  return [contentIdFormat, ...lines.sort(Buffer.compare).map(String), ""].join("\n");
}

/** The content ID: 64 lowercase hex, safe as part of a tag. */
export function toContentId(records: readonly ImageRecord[]): string {
  return createHash("sha256").update(printRecords(records)).digest("hex");
}

/** The tag that holds the image of an ID (requirement D2). */
export function toImageTag(id: string): string {
  return `e2e-content-${id}`;
}
