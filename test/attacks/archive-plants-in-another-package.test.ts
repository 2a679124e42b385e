import { expect, test } from "vitest";
import { buildHostile } from "../support/attack.ts";

test("a parent archive that writes into the place of another package", async () => {
  const result = await buildHostile((pack) => {
    const { helper, script } = pack.packages;
    if (helper) pack.packages["script/node_modules/helper"] = helper;
    delete pack.packages.helper;
    if (script) script.files["node_modules/helper/planted.js"] = "";
  });
  expect(result).toEqual({ code: "pack.location-occupied", left: [] });
});
