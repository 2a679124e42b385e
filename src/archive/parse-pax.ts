import { archiveError } from "./errors.ts";

/** What a pax header may change about the entry that follows it. */
export interface PaxFields {
  readonly path?: Uint8Array;
  readonly size?: number;
}

/** Keys that describe what we do not keep: times, owners, comments, attributes. */
const ignoredKeys = new Set([
  ..."atime ctime mtime uid gid uname gname comment LIBARCHIVE.creationtime".split(" "),
  ..."SCHILY.dev SCHILY.ino SCHILY.nlink SCHILY.fflags".split(" "),
]);
const ignoredPrefixes = ["SCHILY.xattr.", "SCHILY.acl.", "LIBARCHIVE.xattr."];

/**
 * Parses the body of a pax header: records `<length> <key>=<value>\n`, read by length, never by line.
 * @throws archive.pax-*, archive.sparse, archive.symlink
 */
export function parsePax(body: Uint8Array, subject: string): PaxFields {
  const seen = new Set<string>();
  const fields: { path?: Uint8Array; size?: number } = {};
  for (const [key, value] of records(Buffer.from(body.buffer, body.byteOffset, body.length), subject)) {
    if (seen.has(key)) {
      throw archiveError("archive.pax-duplicate", { subject, expected: `one ${show(key)}`, got: "two" });
    }
    seen.add(key);
    assertKnownKey(key, subject);
    if (key === "path") fields.path = value;
    if (key === "size") fields.size = parseDecimal(value, subject);
  }
  return fields;
}

/** Git writes its commit as a global comment. Anything that changes entries is refused. @throws archive.pax-global */
export function assertHarmlessGlobal(fields: PaxFields, subject: string): void {
  if (fields.path === undefined && fields.size === undefined) return;
  throw archiveError("archive.pax-global", {
    subject,
    expected: "comments",
    got: Object.keys(fields).join(", "),
  });
}

function* records(body: Buffer, subject: string): Generator<[string, Buffer]> {
  let offset = 0;
  while (offset < body.length) {
    const space = body.indexOf(0x20, offset);
    const digits = space < 0 || space - offset > 8 ? "" : body.toString("latin1", offset, space);
    const end = /^[1-9][0-9]*$/.test(digits) ? offset + Number(digits) : Number.NaN;
    const equals = body.indexOf(0x3d, space);
    if (!(end <= body.length && equals > space + 1 && equals < end && body[end - 1] === 0x0a)) {
      throw archiveError("archive.pax-format", {
        subject,
        expected: "records of <length> <key>=<value>",
        got: `other bytes at offset ${offset}`,
      });
    }
    yield [body.toString("latin1", space + 1, equals), body.subarray(equals + 1, end - 1)];
    offset = end;
  }
}

function assertKnownKey(key: string, subject: string): void {
  if (key === "path" || key === "size" || ignoredKeys.has(key)) return;
  if (ignoredPrefixes.some((prefix) => key.startsWith(prefix))) return;
  const code =
    key.startsWith("GNU.sparse.") || key === "SCHILY.realsize" ? "archive.sparse" : "archive.pax-key";
  throw archiveError(code, { subject, expected: "path, size, times, owners or comments", got: show(key) });
}

function parseDecimal(value: Buffer, subject: string): number {
  const text = value.toString("latin1");
  if (/^(0|[1-9][0-9]{0,14})$/.test(text)) return Number(text);
  throw archiveError("archive.pax-size", { subject, expected: "decimal digits", got: show(text) });
}

function show(text: string): string {
  return JSON.stringify(text.slice(0, 80));
}
