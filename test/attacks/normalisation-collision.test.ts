import { expect, test } from "vitest";
import { unpackHostile } from "../support/attack.ts";
import { file, tgz } from "../support/tarball.ts";

test("a file that replaces another one where names are normalised", async () => {
  const archive = tgz(
    file("package/caf\u00e9/index.js", "safe"),
    file("package/cafe\u0301/index.js", "evil"),
  );
  expect(await unpackHostile(archive)).toEqual({ code: "archive.path-collision", left: [] });
});
