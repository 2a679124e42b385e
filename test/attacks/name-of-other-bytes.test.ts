import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { verifyHostile } from "../support/attack.ts";

test("a file whose name no listing can hold, so that it is nowhere listed as missing or extra", async () => {
  const findings = await verifyHostile((root) =>
    writeFileSync(Buffer.concat([Buffer.from(join(root, "a")), Buffer.from([0xff])]), ""),
  );
  expect(findings).toEqual(["a\\xff tree.extra-not-utf8"]);
});
