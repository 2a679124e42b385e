import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { verifyHostile } from "../support/attack.ts";

test("a file and its line in the listing edited together", async () => {
  const findings = await verifyHostile((root) => {
    writeFileSync(join(root, "package.json"), "{}");
    const path = join(root, "sealpack.tree");
    const sha256 = createHash("sha256").update("{}").digest("hex");
    const line = `f\t2\t${sha256}\tpackage.json`;
    writeFileSync(path, readFileSync(path, "utf8").replace(/^f\t.*\tpackage\.json$/m, line));
  });
  expect(findings).toEqual(["sealpack.tree manifest.tree-digest"]);
});
