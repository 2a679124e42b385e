import { expect, test } from "vitest";
import { unpackHostile } from "../support/attack.ts";
import { file, tgz } from "../support/tarball.ts";

test("a file that replaces another one where case is ignored", async () => {
  const archive = tgz(file("package/INDEX.js", "safe"), file("package/index.js", "evil"));
  expect(await unpackHostile(archive)).toEqual({ code: "archive.path-collision", left: [] });
});
