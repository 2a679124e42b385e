import type { EntryType } from "./entry.ts";

export type ModeProblem =
  | "tree.mode-setuid"
  | "tree.mode-setgid"
  | "tree.mode-sticky"
  | "tree.mode-writable"
  | "tree.mode-unreadable"
  | "tree.mode-not-searchable"
  | "tree.mode-executable"
  | "tree.mode-not-executable"
  | "tree.mode-partial-execute";

interface ModeRule {
  readonly code: ModeProblem;
  readonly expected: string;
  readonly breaks: (mode: number, type: EntryType) => boolean;
}

const execute = (mode: number) => mode & 0o111;
const readable = (mode: number) => (mode & 0o444) !== 0;

/** The rules of design 2, one per row. A file nobody may read is only that: its execute bits are not judged. */
const rules: readonly ModeRule[] = [
  { code: "tree.mode-setuid", expected: "no setuid bit", breaks: (mode) => (mode & 0o4000) !== 0 },
  { code: "tree.mode-setgid", expected: "no setgid bit", breaks: (mode) => (mode & 0o2000) !== 0 },
  { code: "tree.mode-sticky", expected: "no sticky bit", breaks: (mode) => (mode & 0o1000) !== 0 },
  {
    code: "tree.mode-writable",
    expected: "no write bit for group or others",
    breaks: (mode) => (mode & 0o022) !== 0,
  },
  { code: "tree.mode-unreadable", expected: "a read bit", breaks: (mode) => !readable(mode) },
  {
    code: "tree.mode-not-searchable",
    expected: "an execute bit, to search the directory",
    breaks: (mode, type) => type === "d" && readable(mode) && execute(mode) === 0,
  },
  {
    code: "tree.mode-executable",
    expected: "no execute bits",
    breaks: (mode, type) => type === "f" && readable(mode) && execute(mode) === 0o111,
  },
  {
    code: "tree.mode-not-executable",
    expected: "all three execute bits",
    breaks: (mode, type) => type === "x" && readable(mode) && execute(mode) === 0,
  },
  {
    code: "tree.mode-partial-execute",
    expected: "all three execute bits or none",
    breaks: (mode, type) => type !== "d" && readable(mode) && execute(mode) !== 0 && execute(mode) !== 0o111,
  },
];

/** Every mode rule that an entry of that type breaks. `mode` is st_mode; only its 12 permission bits are judged. */
export function modeProblems(
  mode: number,
  type: EntryType,
): readonly { code: ModeProblem; expected: string }[] {
  return rules.filter((rule) => rule.breaks(mode, type));
}

/** Permission bits as four octal digits: `0755`. */
export function showMode(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(4, "0");
}
