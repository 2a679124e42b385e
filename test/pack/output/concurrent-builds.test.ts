import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { verifyPack } from "../../../src/manifest/verify-pack.ts";
import { buildPack } from "../../../src/pack/build-pack.ts";
import { smallPack, smallRequest, writeSmallPack } from "../../support/small-pack.ts";
import { tempDir } from "../../support/temp-dir.ts";

test("builds of one output at once all succeed, and leave one sound pack", { timeout: 60_000 }, async () => {
  const dir = tempDir();
  writeSmallPack(smallPack(), join(dir, "pack"), join(dir, "cache"));
  const builds = async () => {
    const digests: string[] = [];
    for (let count = 0; count < 10; count += 1)
      digests.push((await buildPack(smallRequest(dir))).manifest.digest);
    return digests;
  };
  const digests = (await Promise.all([builds(), builds()])).flat();
  expect([digests.length, new Set(digests).size]).toEqual([20, 1]);
  const { manifest } = await buildPack(smallRequest(dir));
  expect((await verifyPack(join(dir, "out"), { manifest })).findings).toEqual([]);
  expect(readdirSync(dir).sort()).toEqual(["cache", "out", "pack"]);
});
