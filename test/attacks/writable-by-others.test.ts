import { chmodSync } from "node:fs";
import { expect, test } from "vitest";
import { verifyHostile } from "../support/attack.ts";

test("a pack that anyone may write to once it is verified", async () => {
  const findings = await verifyHostile((root) => chmodSync(root, 0o777));
  expect(findings).toEqual([". tree.mode-writable"]);
});
