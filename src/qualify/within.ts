import { setTimeout as sleep } from "node:timers/promises";
import { qualifyError } from "./errors.ts";

/** @throws `qualify.no-answer` where `work` takes longer than `time` milliseconds */
export async function within<T>(subject: string, time: number, work: Promise<T>): Promise<T> {
  const control = new AbortController();
  const late = sleep(time, undefined, { signal: control.signal }).then(
    () => {
      const facts = { subject, expected: `an answer within ${time / 1000} s`, got: "none" };
      throw qualifyError("qualify.no-answer", facts);
    },
    () => new Promise<never>(() => {}),
  );
  try {
    return await Promise.race([work, late]);
  } finally {
    control.abort();
  }
}

/** @throws `qualify.answer` */
export function assertAnswer(subject: string, expected: unknown, got: unknown): void {
  const [wanted, found] = [expected, got].map((value) => JSON.stringify(value) ?? "nothing");
  if (wanted === found) return;
  throw qualifyError("qualify.answer", {
    subject,
    expected: wanted ?? "",
    got: (found ?? "").slice(0, 1000),
  });
}

/** Waits, looking every 20 ms, until `holds`; then or after `time` milliseconds gives what was seen last. */
export async function settle<T>(time: number, look: () => T, holds: (value: T) => boolean): Promise<T> {
  const end = performance.now() + time;
  for (;;) {
    const value = look();
    if (holds(value) || performance.now() > end) return value;
    await sleep(20);
  }
}
