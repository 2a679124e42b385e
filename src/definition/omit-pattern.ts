import type { TargetId } from "./target.ts";
import { toTargetPath } from "./target-path.ts";

/**
 * Tells whether an omit pattern covers a path of the pack. `*` is any characters of one name, `**` as a whole part is
 * any number of parts, `{a,b}` is one of the words, `{target}` the target's id. `a/**` covers what is below `a` and
 * `a` itself.
 */
export function toOmitMatcher(pattern: string, target: TargetId): (path: string) => boolean {
  const source = toTargetPath(pattern, target).split("/").map(toPartSource).join("");
  const expression = new RegExp(`^${source}$`, "u");
  return (path) => expression.test(`/${path}`);
}

/** True for a pattern that {@link toOmitMatcher} reads as its author means it. */
export function isOmitPattern(pattern: string): boolean {
  const plain = pattern.replace(/\{[^{}]*\}/g, "x");
  if (/[{}[\]?!]/.test(plain)) return false;
  return pattern.split("/").every((part) => part === "**" || !part.includes("**")) && plain !== "**";
}

/** Each part brings its own leading slash, so that `**` may stand for no part at all. */
function toPartSource(part: string): string {
  if (part === "**") return "(?:/[^/]+)*";
  const pieces = part.split(/(\*|\{[^{}]*\})/).map((piece) => {
    if (piece === "*") return "[^/]*";
    if (piece.startsWith("{")) return `(?:${piece.slice(1, -1).split(",").map(quote).join("|")})`;
    return quote(piece);
  });
  return `/${pieces.join("")}`;
}

function quote(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, (char) => `\\${char}`);
}
