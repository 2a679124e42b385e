import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buildHostile } from "../support/attack.ts";
import { tempDir } from "../support/temp-dir.ts";

test("an install script in an archive that the lock does not tell of", async () => {
  const trap = join(tempDir(), "ran");
  const result = await buildHostile(({ packages: { helper } }) => {
    if (helper) helper.packageJson.scripts = { postinstall: `touch ${trap}` };
  });
  expect(result).toEqual({ code: "pack.install-script-unacknowledged", left: [] });
  expect(existsSync(trap)).toBe(false);
});
