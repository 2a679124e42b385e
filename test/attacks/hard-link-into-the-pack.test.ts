import { linkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { verifyHostile } from "../support/attack.ts";

test("a hard link outside the pack, through which a verified file is changed later", async () => {
  const findings = await verifyHostile((root) => linkSync(join(root, "package.json"), `${root}.handle`));
  expect(findings).toEqual(["package.json tree.hard-link-outside"]);
});
