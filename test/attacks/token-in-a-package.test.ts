import { expect, test } from "vitest";
import { buildHostile } from "../support/attack.ts";

test("a registry token in a published package", async () => {
  const result = await buildHostile(({ packages: { helper } }) => {
    if (helper) helper.files["config.json"] = JSON.stringify({ token: `npm_${"aB3".repeat(12)}` });
  });
  expect(result).toEqual({ code: "pack.secrets-found", left: [] });
});
