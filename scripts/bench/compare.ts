import type { Run } from "./measure.ts";

/** One thing measured against its control, run by turns so that both see the same machine. */
export interface Comparison {
  readonly name: string;
  readonly control: string;
  readonly ours: readonly Run[];
  readonly theirs: readonly Run[];
}

export async function compare(
  name: string,
  control: string,
  rounds: number,
  run: { readonly ours: (round: number) => Promise<Run>; readonly theirs: (round: number) => Promise<Run> },
): Promise<Comparison> {
  const ours: Run[] = [];
  const theirs: Run[] = [];
  for (let round = 0; round < rounds; round += 1) {
    theirs.push(await run.theirs(round));
    ours.push(await run.ours(round));
    process.stderr.write(`bench: ${name}: round ${round + 1} of ${rounds}\n`);
  }
  return { name, control, ours, theirs };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low, high] = [
    sorted[sorted.length % 2 === 0 ? middle - 1 : middle] ?? Number.NaN,
    sorted[middle] ?? Number.NaN,
  ];
  return (low + high) / 2;
}

/** Pairs of one round, as ours divided by theirs. */
export function toRatios({ ours, theirs }: Comparison): number[] {
  return ours.map((run, round) => run.seconds / (theirs[round]?.seconds ?? Number.NaN));
}

/** A Markdown table: seconds as min / median / max, peak memory, and the median of the paired ratios. */
export function printTable(comparisons: readonly Comparison[]): string {
  const rows = comparisons.flatMap((one) => [
    `| ${one.name} | ${spread(one.ours)} | ${peak(one.ours)} | ${median(toRatios(one)).toFixed(2)} × |\n`,
    `| ${one.control} | ${spread(one.theirs)} | ${peak(one.theirs)} | 1 |\n`,
  ]);
  return `| | seconds: min / median / max | peak memory | ratio |\n|---|---|---|---|\n${rows.join("")}`;
}

function spread(runs: readonly Run[]): string {
  const seconds = runs.map((run) => run.seconds);
  return [Math.min(...seconds), median(seconds), Math.max(...seconds)]
    .map((one) => one.toFixed(2))
    .join(" / ");
}

function peak(runs: readonly Run[]): string {
  return `${Math.round(Math.max(...runs.map((run) => run.peakBytes)) / 1e6)} MB`;
}
