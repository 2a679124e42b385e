import { qualifyError } from "./errors.ts";

export const subjectNames = ["opencode", "claude-agent-acp", "codex-acp", "acpx"] as const;
export type SubjectName = (typeof subjectNames)[number];

/** One subject, or `all` of them. @throws `qualify.subject-unknown` */
export function parseSubjects(text: string): readonly SubjectName[] {
  if (text === "all") return subjectNames;
  const name = subjectNames.find((one) => one === text);
  if (name !== undefined) return [name];
  const expected = `one of ${subjectNames.join(", ")}, all`;
  throw qualifyError("qualify.subject-unknown", { subject: "subject", expected, got: JSON.stringify(text) });
}

/** Seconds to milliseconds. @throws `qualify.timeout-malformed` */
export function parseTimeout(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text) * 1000;
  const facts = { subject: "--timeout", expected: "1 to 9999 seconds", got: JSON.stringify(text) };
  throw qualifyError("qualify.timeout-malformed", facts);
}
