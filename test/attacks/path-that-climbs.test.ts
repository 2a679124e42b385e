import { expect, test } from "vitest";
import { unpackHostile } from "../support/attack.ts";
import { file, pax, tgz } from "../support/tarball.ts";

test("a path that climbs out by a pax header, behind a harmless name", async () => {
  const archive = tgz(pax({ path: "package/../../escaped" }), file("package/harmless", "x"));
  expect(await unpackHostile(archive)).toEqual({ code: "archive.path-parent", left: [] });
});
