import type { ProcessRow } from "./process-table.ts";

/** What is known of the processes that one owner started. */
export interface Wards {
  /** Process groups that the owner named. */
  readonly groups: ReadonlySet<number>;
  /** pid → start time of processes that an earlier look chose: their parents may be gone by the last one. */
  readonly known: ReadonlyMap<number, string>;
  /** Never to be ended: the guardian, its owner. */
  readonly spared: ReadonlySet<number>;
}

/**
 * The processes that must end, in the order of the table: marked ones, members of a named group, known descendants, and
 * whatever descends from one of these, shares a group that one of them leads, or the session.
 */
export function planRetirement(table: readonly ProcessRow[], wards: Wards): readonly ProcessRow[] {
  const chosen = new Set<number>();
  const leaders = new Set<number>();
  const belongs = (row: ProcessRow): boolean =>
    row.marked ||
    wards.groups.has(row.group) ||
    wards.known.get(row.pid) === row.start ||
    chosen.has(row.parent) ||
    leaders.has(row.group) ||
    leaders.has(row.session);
  for (let size = -1; size !== chosen.size; ) {
    size = chosen.size;
    for (const row of table) {
      if (chosen.has(row.pid) || wards.spared.has(row.pid) || !belongs(row)) continue;
      chosen.add(row.pid);
      if (row.group === row.pid || row.session === row.pid) leaders.add(row.pid);
    }
  }
  return table.filter((row) => chosen.has(row.pid));
}
