import { lockError } from "./errors.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

/** Bytes → JSON object, bounded, UTF-8 only. @throws lock.too-large, lock.not-json, lock.malformed */
export function parseJsonObject(bytes: Uint8Array, file: string, maximumBytes: number): JsonObject {
  if (bytes.length > maximumBytes) {
    const expected = `at most ${maximumBytes} bytes`;
    throw lockError("lock.too-large", { subject: file, expected, got: `${bytes.length}` });
  }
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (cause) {
    throw lockError("lock.not-json", { subject: file, expected: "JSON in UTF-8", got: "other bytes", cause });
  }
  return toObject(value, file);
}

/** @throws lock.malformed */
export function toObject(value: unknown, subject: string): JsonObject {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw malformed(subject, "an object", value);
}

/** A map of strings; an absent one is empty. @throws lock.malformed */
export function toStringMap(value: unknown, subject: string): Readonly<Record<string, string>> {
  if (value === undefined) return {};
  const map = toObject(value, subject);
  for (const [key, item] of Object.entries(map)) toText(item, `${subject}.${key}`);
  return map as Readonly<Record<string, string>>;
}

/** @throws lock.malformed */
export function toText(value: unknown, subject: string): string {
  if (typeof value === "string") return value;
  throw malformed(subject, "a string", value);
}

/** @throws lock.malformed */
export function toOptionalText(value: unknown, subject: string): string | undefined {
  return value === undefined ? undefined : toText(value, subject);
}

/** npm writes `true` or leaves the key out. @throws lock.malformed */
export function toFlag(value: unknown, subject: string): boolean {
  if (value === undefined || typeof value === "boolean") return value === true;
  throw malformed(subject, "true or false", value);
}

/** A list of strings, or one string, as package.json's `os` may be. @throws lock.malformed */
export function toTextList(value: unknown, subject: string): readonly string[] {
  if (value === undefined || value === null) return [];
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.map((item) => toText(item, subject));
}

export function malformed(subject: string, expected: string, value: unknown) {
  const got = value === null ? "null" : Array.isArray(value) ? "a list" : typeof value;
  return lockError("lock.malformed", { subject, expected, got });
}
