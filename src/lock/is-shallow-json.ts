/** npm nests seven levels at most; readers that go deeper need memory that the sender of the bytes chooses. */
const maximumDepth = 64;

/** Whether JSON text nests no deeper than anything that npm writes. One pass over the bytes, before they are parsed. */
export function isShallowJson(bytes: Uint8Array): boolean {
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) at = endOfText(bytes, at);
    else if (byte === openBrace || byte === openBracket) depth += 1;
    else if (byte === closeBrace || byte === closeBracket) depth -= 1;
    if (depth > maximumDepth) return false;
  }
  return true;
}

const [quote, backslash] = [0x22, 0x5c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Index of the quote that ends the text which begins at `start`; the end of the bytes where there is none. */
function endOfText(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at += 1) {
    if (bytes[at] === backslash) at += 1;
    else if (bytes[at] === quote) return at;
  }
  return bytes.length;
}
