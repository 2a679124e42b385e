import { pathProblem } from "../tree/path-rules.ts";
import { showPath } from "../tree/show-path.ts";
import { type ManifestCode, manifestError } from "./errors.ts";

/** Checks one value at a place in the document; throws where it is not of the shape. */
export type Shape = (value: unknown, at: string) => void;

/** An object with exactly these keys; those in `optional` may be absent. */
export function record(keys: Readonly<Record<string, Shape>>, optional: readonly string[] = []): Shape {
  return (value, at) => {
    const object = asObject(value, at);
    for (const key of Object.keys(object)) {
      if (!Object.hasOwn(keys, key)) throw wrong("manifest.unknown-key", at, "only its own keys", show(key));
    }
    for (const [key, shape] of Object.entries(keys)) {
      if (Object.hasOwn(object, key)) shape(object[key], `${at}.${key}`);
      else if (!optional.includes(key)) throw wrong("manifest.missing-key", at, `key ${key}`, "none");
    }
  };
}

/** An object whose keys are names. */
export function mapOf(key: Shape, item: Shape): Shape {
  return (value, at) => {
    for (const [name, member] of Object.entries(asObject(value, at))) {
      key(name, at);
      item(member, `${at}.${name}`);
    }
  };
}

/** An array; every item is of the shape. */
export function listOf(item: Shape): Shape {
  return (value, at) => {
    for (const [index, member] of asArray(value, at).entries()) item(member, `${at}[${index}]`);
  };
}

/** An array of texts, sorted by UTF-16 units, none twice. */
export const sortedTexts: Shape = (value, at) => {
  listOf(text)(value, at);
  const items = asArray(value, at) as string[];
  const index = items.findIndex((item, position) => position > 0 && (items[position - 1] as string) >= item);
  if (index >= 0)
    throw wrong("manifest.unsorted-list", at, "a sorted list, nothing twice", show(items[index]));
};

/** The first shape for an empty object, the other for everything else. */
export function emptyOr(shape: Shape): Shape {
  return (value, at) => {
    if (Object.keys(asObject(value, at)).length > 0) shape(value, at);
  };
}

/** Text without control characters. */
export const text: Shape = (value, at) => {
  if (typeof value === "string" && !/\p{Cc}/u.test(value) && value.isWellFormed()) return;
  throw wrong("manifest.type", at, "text on one line", show(value));
};

export const someText: Shape = (value, at) => {
  text(value, at);
  if (value === "") throw wrong("manifest.type", at, "text", "none");
};

export function oneOf(...choices: readonly string[]): Shape {
  return (value, at) => {
    if (choices.includes(value as string)) return;
    throw wrong("manifest.type", at, choices.join(" or "), show(value));
  };
}

export const flag: Shape = (value, at) => {
  if (typeof value !== "boolean") throw wrong("manifest.type", at, "true or false", show(value));
};

export const count: Shape = (value, at) => {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return;
  throw wrong("manifest.number", at, "a safe, non-negative integer", show(value));
};

export const hex64: Shape = (value, at) => {
  if (typeof value === "string" && /^[0-9a-f]{64}$/.test(value)) return;
  throw wrong("manifest.hex", at, "64 lowercase hex digits", show(value));
};

/** The form of names in design 3. A name that looks like an integer would be moved to the front by JavaScript. */
export const name: Shape = (value, at) => {
  if (typeof value === "string" && /^[@a-z0-9][A-Za-z0-9@/._+-]*$/.test(value) && !/^[0-9]+$/.test(value))
    return;
  throw wrong("manifest.name", at, "a name", show(value));
};

/** A path below the pack, by the rules of design 1. */
export const packPath: Shape = (value, at) => {
  if (typeof value === "string" && value.isWellFormed() && pathProblem(value) === undefined) return;
  throw wrong("manifest.path", at, "a normal path below the pack", show(value));
};

/** An absolute path of the host, without `.` and `..`. */
export const hostPath: Shape = (value, at) => {
  if (typeof value === "string" && value.startsWith("/") && pathProblem(value.slice(1)) === undefined) return;
  throw wrong("manifest.path", at, "a normal absolute path", show(value));
};

export function both(...shapes: readonly Shape[]): Shape {
  return (value, at) => {
    for (const shape of shapes) shape(value, at);
  };
}

function asObject(value: unknown, at: string): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw wrong("manifest.type", at, "an object", show(value));
}

function asArray(value: unknown, at: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw wrong("manifest.type", at, "a list", show(value));
}

/** The value comes from the document: shown short and without control characters. */
export function show(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "string") return showPath(JSON.stringify(value.slice(0, 120)));
  return typeof value === "object" ? (Array.isArray(value) ? "a list" : "an object") : String(value);
}

export function wrong(code: ManifestCode, subject: string, expected: string, got: string) {
  return manifestError(code, { subject: showPath(subject), expected, got });
}
