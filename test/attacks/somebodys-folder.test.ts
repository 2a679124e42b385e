import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buildHostile } from "../support/attack.ts";

test("an output that is somebody's folder, to be deleted by the swap", async () => {
  const result = await buildHostile(
    () => {},
    (dir) => {
      mkdirSync(join(dir, "out"));
      writeFileSync(join(dir, "out/thesis.txt"), "years of work");
      return undefined;
    },
  );
  expect(result).toEqual({ code: "pack.output-not-a-pack", left: [] });
});
