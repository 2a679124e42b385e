import { expect, test } from "vitest";
import { buildHostile } from "../support/attack.ts";
import { sha256 } from "../support/small-pack.ts";

test("a declared patch that edits a file of another package", async () => {
  const result = await buildHostile((pack) => {
    const text =
      "--- a/../helper/index.js\n+++ b/../helper/index.js\n@@ -1 +1 @@\n-module.exports = '1.0.0';\n+evil\n";
    pack.beside["a.patch"] = text;
    pack.definition.patches = [{ file: "a.patch", sha256: sha256(text), component: "node_modules/script" }];
  });
  expect(result).toEqual({ code: "pack.patch-failed", left: [] });
});
