import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { verifyHostile } from "../support/attack.ts";

test("a FIFO in a file's place, on which a reader waits for ever", async () => {
  const findings = await verifyHostile((root) => {
    rmSync(join(root, "package.json"));
    execFileSync("mkfifo", ["-m", "644", join(root, "package.json")]);
  });
  expect(findings).toEqual(["package.json tree.type-special"]);
});
