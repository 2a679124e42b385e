import { bridgesError } from "../errors.ts";
import { initialCredit } from "./frame.ts";

/** How many bytes may still be sent on one stream in one direction (rule R6). */
export interface Credit {
  /** Resolves with a count between 1 and `wanted`, which is then used up; waits for credit where there is none. */
  take(wanted: number): Promise<number>;
  add(count: number): void;
}

/** More than this is never granted at once by a sane peer; it keeps the count exact. */
const ceiling = 1 << 30;

export function createCredit(): Credit {
  let left = initialCredit;
  let wake: (() => void) | undefined;
  return {
    take: async (wanted) => {
      while (left === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const count = Math.min(left, wanted);
      left -= count;
      return count;
    },
    add: (count) => {
      left = Math.min(left + count, ceiling);
      wake?.();
      wake = undefined;
    },
  };
}

/** The other side's account: what it may still send us. @throws `bridges.run-refused` where it sends more. */
export function createAllowance(): { spend(count: number): void; grant(count: number): void } {
  let left = initialCredit;
  return {
    grant: (count) => {
      left += count;
    },
    spend: (count) => {
      left -= count;
      if (left >= 0) return;
      const facts = { subject: "stdin", expected: "no more than the credit", got: `${-left} bytes more` };
      throw bridgesError("bridges.run-refused", facts);
    },
  };
}
