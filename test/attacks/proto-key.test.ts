import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { verifyHostile } from "../support/attack.ts";

test("`__proto__` as a key of the manifest, which becomes no own key when it is copied", async () => {
  const findings = await verifyHostile((root) => {
    const path = join(root, "sealpack.json");
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace('"name": "small",', '"__proto__": {}, "name": "small",'));
  });
  expect(findings).toEqual(["sealpack.json manifest.unknown-key"]);
});
