import { describe, expect, test } from "vitest";
import type { EntryType } from "../../src/tree/entry.ts";
import { modeProblems, showMode } from "../../src/tree/mode-rules.ts";

describe("modeProblems", () => {
  test.each<[EntryType, number, readonly string[]]>([
    ["d", 0o755, []],
    ["d", 0o700, []],
    ["d", 0o555, []],
    ["d", 0o711, []],
    ["d", 0o775, ["writable"]],
    ["d", 0o757, ["writable"]],
    ["d", 0o1755, ["sticky"]],
    ["d", 0o2755, ["setgid"]],
    ["d", 0o4755, ["setuid"]],
    ["d", 0o644, ["not-searchable"]],
    ["d", 0o111, ["unreadable"]],
    ["d", 0o000, ["unreadable"]],
    ["f", 0o644, []],
    ["f", 0o600, []],
    ["f", 0o444, []],
    ["f", 0o400, []],
    ["f", 0o755, ["executable"]],
    ["f", 0o711, ["executable"]],
    ["f", 0o744, ["partial-execute"]],
    ["f", 0o654, ["partial-execute"]],
    ["f", 0o645, ["partial-execute"]],
    ["f", 0o664, ["writable"]],
    ["f", 0o646, ["writable"]],
    ["f", 0o666, ["writable"]],
    ["f", 0o4644, ["setuid"]],
    ["f", 0o2644, ["setgid"]],
    ["f", 0o1644, ["sticky"]],
    ["f", 0o200, ["unreadable"]],
    ["f", 0o311, ["unreadable"]],
    ["x", 0o755, []],
    ["x", 0o555, []],
    ["x", 0o644, ["not-executable"]],
    ["x", 0o700, ["partial-execute"]],
    ["x", 0o754, ["partial-execute"]],
    ["x", 0o4755, ["setuid"]],
    ["x", 0o000, ["unreadable"]],
    ["x", 0o7777, ["setuid", "setgid", "sticky", "writable"]],
  ])("%s with %o", (type, mode, codes) => {
    expect(modeProblems(mode, type).map(({ code }) => code)).toEqual(
      codes.map((code) => `tree.mode-${code}`),
    );
  });

  test("looks at permission bits alone", () => {
    expect(modeProblems(0o100644, "f")).toEqual([]);
    expect(showMode(0o104755)).toBe("4755");
    expect(showMode(0o40)).toBe("0040");
  });

  test("accepts exactly the modes that the design's sentences accept", () => {
    const accepted = (type: EntryType) => {
      const modes = Array.from({ length: 0o10000 }, (_, mode) => mode);
      return modes.filter((mode) => modeProblems(mode, type).length === 0);
    };
    const sound = (mode: number) => mode < 0o1000 && (mode & 0o22) === 0 && (mode & 0o444) !== 0;
    const all = Array.from({ length: 0o10000 }, (_, mode) => mode).filter(sound);
    expect(accepted("f")).toEqual(all.filter((mode) => (mode & 0o111) === 0));
    expect(accepted("x")).toEqual(all.filter((mode) => (mode & 0o111) === 0o111));
    expect(accepted("d")).toEqual(all.filter((mode) => (mode & 0o111) !== 0));
  });
});
