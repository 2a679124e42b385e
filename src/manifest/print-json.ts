import { manifestError } from "./errors.ts";

/**
 * The one JSON printer. Indent 0 is RFC 8785 (keys sorted by UTF-16 units, no spaces, no newline): what digests are
 * made of. Indent 2 is the form on disk, without its final newline.
 * @throws `manifest.not-printable`
 */
export function printJson(value: unknown, indent: 0 | 2): string {
  return printValue(value, indent, "\n");
}

function printValue(value: unknown, indent: 0 | 2, line: string): string {
  if (Array.isArray(value)) {
    const deeper = line + " ".repeat(indent);
    return join(
      value.map((item) => printValue(item, indent, deeper)),
      "[]",
      indent,
      line,
    );
  }
  if (typeof value === "object" && value !== null) return printObject(value, indent, line);
  return printScalar(value);
}

function printObject(value: object, indent: 0 | 2, line: string): string {
  const deeper = line + " ".repeat(indent);
  const colon = indent === 0 ? ":" : ": ";
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  const members = entries.map(([key, item]) => printScalar(key) + colon + printValue(item, indent, deeper));
  return join(members, "{}", indent, line);
}

function join(members: readonly string[], brackets: string, indent: 0 | 2, line: string): string {
  if (members.length === 0) return brackets;
  const [open, close] = brackets;
  if (indent === 0) return `${open}${members.join(",")}${close}`;
  const deeper = line + " ".repeat(indent);
  return `${open}${deeper}${members.join(`,${deeper}`)}${line}${close}`;
}

/** JSON.stringify prints strings and numbers as RFC 8785 asks, which defines them by ECMAScript. */
function printScalar(value: unknown): string {
  if (typeof value === "string" && value.isWellFormed()) return JSON.stringify(value);
  if (typeof value === "number" && Number.isFinite(value)) return JSON.stringify(value);
  if (typeof value === "boolean" || value === null) return String(value);
  throw manifestError("manifest.not-printable", {
    subject: "value",
    expected: "a JSON value with whole Unicode strings",
    got: typeof value,
  });
}
