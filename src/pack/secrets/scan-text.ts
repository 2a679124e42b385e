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
  [...tokenShapes.map(({ pattern }) => `(?<![A-Za-z0-9_])(${pattern})`), `(${begin})`].join("|"),
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
  const start = text.indexOf("-----", 1) + 5;
  // First the next key's mark, which bounds the search: text full of marks must not be read to its end for each.
  const next = text.indexOf("-----BEGIN ", start);
  const body = text.slice(start, next === -1 ? undefined : next);
  const end = body.indexOf("-----END ");
  if (end === -1) return false;
  const joined = body
    .slice(0, end)
    .split(/\\[nr]|[\r\n]/)
    .map(trimLine)
    .join("");
  return /[A-Za-z0-9+/]{64}/.test(joined);
}

/** Without quotes, commas, and a plus that joins strings: one that stands beside a quote or a space, unlike base64's. */
function trimLine(line: string): string {
  const isAround = (at: number, beside: number): boolean =>
    /[ \t"'`,]/.test(line.charAt(at)) || (line.charAt(at) === "+" && /[ \t"'`]/.test(line.charAt(beside)));
  let [start, end] = [0, line.length];
  while (start < end && isAround(start, start + 1)) start += 1;
  while (end > start && isAround(end - 1, end - 2)) end -= 1;
  return line.slice(start, end);
}
