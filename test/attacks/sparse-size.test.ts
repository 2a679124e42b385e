import { expect, test } from "vitest";
import { unpackHostile } from "../support/attack.ts";
import { file, pax, tgz } from "../support/tarball.ts";

test("a sparse file whose real name and size stand in a header that some readers skip", async () => {
  const archive = tgz(
    pax({ "GNU.sparse.name": "../escaped", "GNU.sparse.realsize": "1" }),
    file("package/a", "x"),
  );
  expect(await unpackHostile(archive)).toEqual({ code: "archive.sparse", left: [] });
});
