import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { mapAtOnce } from "../../../src/pack/exercise/map-at-once.ts";

describe("mapAtOnce", () => {
  it("keeps the order and the limit", async () => {
    let [running, most] = [0, 0];
    const results = await mapAtOnce([30, 5, 20, 1, 10], 3, async (time) => {
      running += 1;
      most = Math.max(most, running);
      await sleep(time);
      running -= 1;
      return time * 2;
    });
    expect([results, most]).toEqual([[60, 10, 40, 2, 20], 3]);
  });

  it("throws the first failure in order, waits for what runs, and starts nothing new", async () => {
    const done: string[] = [];
    const use = async (name: string): Promise<void> => {
      await sleep(name === "slow failure" ? 40 : 5);
      done.push(name);
      if (name.includes("failure")) throw new Error(name);
    };
    const all = mapAtOnce(["slow failure", "fast failure", "never"], 2, use);
    await expect(all).rejects.toThrow("slow failure");
    expect(done).toEqual(["fast failure", "slow failure"]);
  });

  it("gives nothing for nothing", async () => {
    expect(await mapAtOnce([], 3, async (item) => item)).toEqual([]);
  });
});
