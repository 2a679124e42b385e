import { expect, test } from "vitest";
import { unpackHostile } from "../support/attack.ts";
import { entry, file, tgz } from "../support/tarball.ts";

test("a link out of the package, then a file written through it", async () => {
  const archive = tgz(
    entry({ name: "package/l", type: "2", linkName: "../.." }),
    file("package/l/escaped", "x"),
  );
  expect(await unpackHostile(archive)).toEqual({ code: "archive.symlink", left: [] });
});
