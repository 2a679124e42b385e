import { expect, test } from "vitest";
import { buildHostile } from "../support/attack.ts";

test("an archive that holds another package than its lock entry says", async () => {
  const result = await buildHostile(({ packages: { helper } }) => {
    if (helper) helper.packageJson.name = "helpers";
  });
  expect(result).toEqual({ code: "pack.identity", left: [] });
});
