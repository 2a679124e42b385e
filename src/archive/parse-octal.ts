/**
 * The number of a header field: optional spaces, octal digits, then only spaces and zero bytes.
 * An empty field, a sign, a base-256 number and anything after the end give undefined.
 */
export function parseOctal(field: Uint8Array): number | undefined {
  const match = /^ *([0-7]{1,12})[ \0]*$/.exec(Buffer.from(field).toString("latin1"));
  return match?.[1] === undefined ? undefined : Number.parseInt(match[1], 8);
}
