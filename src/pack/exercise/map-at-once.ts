/**
 * Runs `use` on every item, at most `limit` at once, and gives the results in the items' order. After a failure nothing
 * new is started, what runs is waited for, and the failure of the first item in order is thrown.
 */
export async function mapAtOnce<Item, Result>(
  items: readonly Item[],
  limit: number,
  use: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Map<number, PromiseSettledResult<Result>>();
  const queue = items.entries();
  let failed = false;
  const work = async (): Promise<void> => {
    for (const [index, item] of queue) {
      const [result] = (await Promise.allSettled([use(item)])) as [PromiseSettledResult<Result>];
      results.set(index, result);
      failed ||= result.status === "rejected";
      if (failed) return;
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, limit) }, work));
  const settled = [...results].sort(([a], [b]) => a - b).map(([, result]) => result);
  const failure = settled.find((result) => result.status === "rejected");
  if (failure !== undefined) throw failure.reason;
  return settled.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
}
