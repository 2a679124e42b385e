import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buildHostile } from "../support/attack.ts";

test("a pack.yaml whose aliases double with every line", async () => {
  const result = await buildHostile(
    () => {},
    (dir) => {
      const lines = Array.from(
        { length: 30 },
        (_, index) => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]`,
      );
      writeFileSync(join(dir, "pack/pack.yaml"), ["a0: &a0 [x]", ...lines, ""].join("\n"));
      return undefined;
    },
  );
  expect(result).toEqual({ code: "definition.alias", left: [] });
});
