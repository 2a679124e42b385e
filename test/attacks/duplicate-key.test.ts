import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { verifyHostile } from "../support/attack.ts";

test("a key twice in the manifest, of which two readers believe another one each", async () => {
  const findings = await verifyHostile((root) => {
    const path = join(root, "sealpack.json");
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace('"name": "small",', '"name": "trusted",\n    "name": "small",'));
  });
  expect(findings).toEqual(["sealpack.json manifest.not-canonical"]);
});
