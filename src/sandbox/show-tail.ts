import { Buffer } from "node:buffer";

const shownBytes = 400;

/** The end of some output on one line, for a message: the sandbox controls it, so no control character gets through. */
export function showTail(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.subarray(-shownBytes)).toString("utf8");
  const shown = text
    .trim()
    .replaceAll(/\s*\n\s*/g, " | ")
    .replaceAll(/[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, "?");
  return shown === "" ? "no output" : shown;
}
