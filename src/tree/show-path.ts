import { isAscii } from "node:buffer";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Text of a name's bytes, or undefined where they are not UTF-8. The bytes come from whoever made the tree. */
export function decodeName(bytes: Uint8Array): string | undefined {
  // Nearly every name is ASCII, and the decoder is slow at starting.
  if (isAscii(bytes)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** A path for people and reports: control and format characters and backslash become \xHH of their UTF-8 bytes. */
export function showPath(path: string): string {
  return path.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\]/gu, (found) => hex(Buffer.from(found)));
}

/** The same for bytes that are not UTF-8: every byte above 0x7e becomes \xHH. */
export function showBytes(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString("latin1");
  return text.replace(/[^\x20-\x5b\x5d-\x7e]/g, (found) => hex(Buffer.from(found, "latin1")));
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");
}
