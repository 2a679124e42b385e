import { expect, test } from "vitest";
import { buildHostile } from "../support/attack.ts";

test("a package in a parent's archive that no lock tells of, found by Node before the locked one", async () => {
  const result = await buildHostile(({ packages: { script } }) => {
    if (script) script.files["node_modules/helper/package.json"] = "{}";
  });
  expect(result).toEqual({ code: "pack.location-unexpected", left: [] });
});
