import { expect, test } from "vitest";
import { unpackHostile } from "../support/attack.ts";
import { file, tgz } from "../support/tarball.ts";

test("a second gzip member that some readers unpack and some do not", async () => {
  const archive = Buffer.concat([tgz(file("package/a", "seen")), tgz(file("package/a", "hidden"))]);
  expect(await unpackHostile(archive)).toEqual({ code: "archive.gzip-trailing", left: [] });
});
