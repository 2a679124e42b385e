import type { SecretsCode } from "./errors.ts";
import { tokenShapes } from "./token-shapes.ts";

/** A secret's place in a text. What it is called, never what it is. */
export interface SecretHit {
  readonly code: SecretsCode;
  readonly name: string;
  readonly index: number;
}

/** No shape is longer; who scans in pieces lets them overlap by this much. Characters, as Latin-1 reads bytes. */
export const longestSecret = 24_576;

const begin = "-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----";
const anything = new RegExp(
  [...tokenShapes.map(({ pattern }) => `(?<![A-Za-z0-9_+/-])(${pattern})`), `(${begin})`].join("|"),
  "g",
);

/**
 * Every access token and private key in a text, in the order of their places. Pure: also for the values of an image's
 * ENV, ARG, LABEL and history.
 */
export function scanText(text: string): SecretHit[] {
  const hits: SecretHit[] = [];
  for (const match of text.matchAll(anything)) {
    const group = match.findIndex((value, index) => index > 0 && value !== undefined) - 1;
    const shape = tokenShapes[group];
    if (shape !== undefined) hits.push({ code: "secrets.token", name: shape.name, index: match.index });
    else if (isPrivateKey(text.slice(match.index, match.index + longestSecret))) {
      hits.push({ code: "secrets.private-key", name: "private key", index: match.index });
    }
  }
  return hits;
}

/**
 * Whether a text begins with a whole private key. Its lines may be joined by escapes, quotes and commas, as in JSON or
 * source code; prose and code between the marks are not base64 for 64 characters on end.
 */
export function isPrivateKey(text: string): boolean {
  const body = text.replace(/^-----BEGIN [A-Z0-9 ]*-----/, "");
  const end = body.indexOf("-----END ");
  const other = body.indexOf("-----BEGIN ");
  if (end === -1 || (other !== -1 && other < end)) return false;
  const joined = body.slice(0, end).replace(/["'`,+ \t]*(?:\\[nr]|[\r\n])+["'`,+ \t]*/g, "");
  return /[A-Za-z0-9+/]{64}/.test(joined);
}
