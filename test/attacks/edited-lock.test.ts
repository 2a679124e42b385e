import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buildHostile } from "../support/attack.ts";

test("a lock edited after it was pinned, to bring another package", async () => {
  const result = await buildHostile(
    () => {},
    (dir) => {
      const path = join(dir, "pack/package-lock.json");
      writeFileSync(path, readFileSync(path, "utf8").replace("1.1.0", "1.1.1"));
      return undefined;
    },
  );
  expect(result).toEqual({ code: "lock.digest-mismatch", left: [] });
});
