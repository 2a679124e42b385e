import { bridgesError } from "../errors.ts";
import type { Profile } from "./profile.ts";

/** Frame format, rules F1 to F6 of docs/bridges.md: what the controller sends, one JSON object a line. */
export type SidecarRequest = { readonly id: number } & (
  | { readonly op: "hello" }
  | OpenRequest
  | { readonly op: "prompt"; readonly text: string; readonly attachments?: readonly Attachment[] }
  | { readonly op: "permit"; readonly request: number; readonly outcome: PermitOutcome }
  | { readonly op: "cancel" }
  | { readonly op: "status" }
  | { readonly op: "configure"; readonly key: string; readonly value: string }
  | { readonly op: "close" }
);

export interface OpenRequest {
  readonly op: "open";
  readonly profile: Profile;
  readonly cwd: string;
  /** Names the session across sidecars that share a state directory. */
  readonly session: string;
  readonly mode: "persistent" | "oneshot";
  readonly model?: string;
}

export interface Attachment {
  readonly mediaType: string;
  readonly data: string;
}

const outcomes = ["allow_once", "allow_always", "reject_once", "reject_always", "cancel"] as const;
export type PermitOutcome = (typeof outcomes)[number];

/** A rule per key: whether it must be there, and what it may be. */
type Keys = Readonly<Record<string, { readonly optional?: true; readonly is: (value: unknown) => boolean }>>;

const text = (value: unknown): boolean => typeof value === "string" && value !== "" && !value.includes("\0");
const name = { is: (value: unknown) => text(value) && (value as string).length <= 256 };
const shapes: Readonly<Record<SidecarRequest["op"], Keys>> = {
  hello: {},
  open: {
    profile: { is: isProfile },
    cwd: { is: (value) => text(value) && (value as string).startsWith("/") },
    session: name,
    mode: { is: (value) => value === "persistent" || value === "oneshot" },
    model: { optional: true, is: name.is },
  },
  prompt: {
    text: { is: (value) => typeof value === "string" },
    attachments: { optional: true, is: isAttachments },
  },
  permit: { request: { is: isId }, outcome: { is: (value) => outcomes.includes(value as PermitOutcome) } },
  cancel: {},
  status: {},
  configure: { key: name, value: name },
  close: {},
};

/**
 * One line to a request. Whoever starts the sidecar controls the line; a key that is not known is refused.
 * @throws `bridges.frame-malformed`, with the request's id in `details.id` where it has one
 */
export function parseRequest(line: string): SidecarRequest {
  const value = parseObject(line);
  const { id, op, ...rest } = value;
  if (!isId(id)) throw malformed("id as a whole number above 0", id, null);
  const keys =
    typeof op === "string" && Object.hasOwn(shapes, op) ? shapes[op as SidecarRequest["op"]] : undefined;
  if (keys === undefined) throw malformed(`op as one of ${Object.keys(shapes).join(", ")}`, op, id);
  for (const key of Object.keys(rest))
    if (!Object.hasOwn(keys, key)) throw malformed("only known keys", key, id);
  for (const [key, { is, optional }] of Object.entries(keys)) {
    const given = rest[key];
    if (given === undefined ? optional !== true : !is(given))
      throw malformed(`${key} as the format has it`, given, id);
  }
  return value as SidecarRequest;
}

function parseObject(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Told below.
  }
  throw malformed("one JSON object a line", line, null);
}

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function isProfile(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const keys = ["agent", "command", "digest", "package", "version"];
  return Object.keys(value).sort().join() === keys.join() && Object.values(value).every(name.is);
}

function isAttachments(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length <= 64 &&
    value.every(
      (item) =>
        Object.keys(item ?? {})
          .sort()
          .join() === "data,mediaType" && Object.values(item).every(text),
    )
  );
}

function malformed(expected: string, got: unknown, id: number | null): Error {
  const shown = String(JSON.stringify(got)).slice(0, 200);
  return bridgesError("bridges.frame-malformed", {
    subject: "request",
    expected,
    got: shown,
    details: { id },
  });
}
