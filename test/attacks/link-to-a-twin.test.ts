import { renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { verifyHostile } from "../support/attack.ts";

test("a directory replaced by a link to an equal one outside, to be edited later", async () => {
  const findings = await verifyHostile((root) => {
    renameSync(join(root, "node_modules/alpha"), `${root}.twin`);
    symlinkSync(`${root}.twin`, join(root, "node_modules/alpha"));
  });
  expect(findings).toEqual(["node_modules/alpha tree.type-link"]);
});
