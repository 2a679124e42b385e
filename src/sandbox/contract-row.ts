import { sandboxErrors } from "./errors.ts";

export type SandboxCode = keyof typeof sandboxErrors;

/** One line of the contract, answered. */
export interface ContractRow {
  /** `command:codex`, `dir:home`, … */
  readonly id: string;
  /** The requirement that it serves. */
  readonly rule: string;
  readonly level: "required" | "advisory";
  readonly state: "ok" | "failed" | "unknown";
  readonly fact: string;
  /** Null exactly where the state is ok. */
  readonly code: SandboxCode | null;
  readonly remedy: string | null;
}

export type RowHead = Pick<ContractRow, "id" | "rule" | "level">;

export function okRow(head: RowHead, fact: string): ContractRow {
  return { ...head, state: "ok", fact: show(fact), code: null, remedy: null };
}

export function failedRow(head: RowHead, code: SandboxCode, fact: string, remedy?: string): ContractRow {
  return { ...head, state: "failed", fact: show(fact), code, remedy: remedy ?? sandboxErrors[code].remedy };
}

export function unknownRow(head: RowHead, fact: string): ContractRow {
  const code = "sandbox.unknown-fact";
  return { ...head, state: "unknown", fact: show(fact), code, remedy: sandboxErrors[code].remedy };
}

/** Facts come from the sandbox: one line, no control character, no more than a line's length of it. */
function show(text: string): string {
  const plain = text.replaceAll(/[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, "?");
  return plain.length <= 300 ? plain : `${plain.slice(0, 300)}…`;
}

/** 1 if a required row is wrong, else 3 if one could not be told (or its code says so), else 0. */
export function toExit(rows: readonly ContractRow[]): 0 | 1 | 3 {
  const codes = rows
    .filter((row) => row.level === "required")
    .flatMap((row) => (row.code === null ? [] : [row.code]));
  const exits = codes.map((code) => sandboxErrors[code].exit);
  if (exits.includes(1)) return 1;
  return exits.length > 0 ? 3 : 0;
}
