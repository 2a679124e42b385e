import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { verifyHostile } from "../support/attack.ts";

test("a preload script put into a sealed pack", async () => {
  const findings = await verifyHostile((root) =>
    writeFileSync(join(root, "node_modules/alpha/preload.cjs"), ""),
  );
  expect(findings).toEqual(["node_modules/alpha/preload.cjs tree.extra-file"]);
});
