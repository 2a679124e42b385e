import { renameSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { verifyHostile } from "../support/attack.ts";

test("two files of a pack change places, so that sizes and digests all occur", async () => {
  const findings = await verifyHostile((root) => {
    const at = (name: string) => join(root, "node_modules/alpha", name);
    renameSync(at("index.js"), join(root, "aside"));
    renameSync(at("other.js"), at("index.js"));
    renameSync(join(root, "aside"), at("other.js"));
  });
  expect(findings).toEqual([
    "node_modules/alpha/index.js tree.content",
    "node_modules/alpha/other.js tree.content",
  ]);
});
