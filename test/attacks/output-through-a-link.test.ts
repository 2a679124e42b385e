import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buildHostile } from "../support/attack.ts";

test("an output that is a link to somebody's folder", async () => {
  const result = await buildHostile(
    () => {},
    (dir) => {
      mkdirSync(join(dir, "theirs"));
      symlinkSync("theirs", join(dir, "out"));
      return undefined;
    },
  );
  expect(result).toEqual({ code: "pack.output-is-link", left: [] });
});
