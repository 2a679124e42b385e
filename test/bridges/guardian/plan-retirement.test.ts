import { expect, test } from "vitest";
import { planRetirement } from "../../../src/bridges/guardian/plan-retirement.ts";
import type { ProcessRow } from "../../../src/bridges/guardian/process-table.ts";

const row = (pid: number, facts: Partial<ProcessRow> = {}): ProcessRow => ({
  pid,
  parent: 1,
  group: 1,
  session: 1,
  start: String(pid),
  marked: false,
  ...facts,
});
const nothing = { groups: new Set<number>(), known: new Map<number, string>(), spared: new Set<number>() };

test.each<[string, ProcessRow[], Partial<typeof nothing>, number[]]>([
  ["a marked process", [row(10, { marked: true }), row(11)], {}, [10]],
  [
    "a member of a named group",
    [row(10, { group: 7 }), row(11, { group: 8 })],
    { groups: new Set([7]) },
    [10],
  ],
  [
    "a child that forbids being looked into",
    [row(10, { marked: true }), row(11, { parent: 10 })],
    {},
    [10, 11],
  ],
  [
    "a grandchild that is listed first",
    [row(9, { parent: 11 }), row(10, { marked: true }), row(11, { parent: 10 })],
    {},
    [9, 10, 11],
  ],
  [
    "a group that a marked process leads",
    [row(10, { marked: true, group: 10 }), row(11, { group: 10 })],
    {},
    [10, 11],
  ],
  [
    "a session that a marked process leads",
    [row(10, { marked: true, session: 10 }), row(11, { group: 11, session: 10 })],
    {},
    [10, 11],
  ],
  [
    "not a group that it merely shares",
    [row(10, { marked: true, group: 5 }), row(11, { group: 5 })],
    {},
    [10],
  ],
  ["one that was known, by pid and start", [row(10)], { known: new Map([[10, "10"]]) }, [10]],
  ["not another process with a known pid", [row(10)], { known: new Map([[10, "9"]]) }, []],
  [
    "never a spared one, nor what descends from it alone",
    [row(10, { marked: true }), row(11, { parent: 10 })],
    { spared: new Set([10]) },
    [],
  ],
])("ends %s", (_, table, wards, pids) => {
  expect(planRetirement(table, { ...nothing, ...wards }).map(({ pid }) => pid)).toEqual(pids);
});
