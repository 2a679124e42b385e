import { join } from "node:path";
import { expect, test } from "vitest";
import { verifyPack } from "../../src/manifest/verify-pack.ts";
import { mutateAtRandom } from "../support/random-mutation.ts";
import { tinyPack, toRandom } from "../support/random-pack.ts";
import { tempDir } from "../support/temp-dir.ts";

/** Split, so that a slow machine shows where it is; the seed names the one mutation that passed. */
test.each([0, 2_500, 5_000, 7_500])(
  "all of 2,500 random mutations are found, from seed %i",
  async (first) => {
    const pack = await tinyPack(join(tempDir(), "pack"));
    for (let seed = first; seed < first + 2_500; seed += 1) {
      const { what, undo } = mutateAtRandom(pack, toRandom(seed));
      const { ok } = await verifyPack(pack.root);
      undo();
      if (ok) expect.fail(`seed ${seed} was not found: ${what}`);
    }
    expect((await verifyPack(pack.root)).findings).toEqual([]);
  },
);
