import { expect, test } from "vitest";
import { unpackHostile } from "../support/attack.ts";
import { file, tgz } from "../support/tarball.ts";

test("a setuid executable in an archive", async () => {
  const archive = tgz(file("package/sh", "x", { mode: 0o4755 }));
  expect(await unpackHostile(archive)).toEqual({ code: "archive.mode-special", left: [] });
});
