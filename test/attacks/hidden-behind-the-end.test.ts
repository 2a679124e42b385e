import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { unpackHostile } from "../support/attack.ts";
import { file, tar } from "../support/tarball.ts";

test("entries behind the end mark, which some readers go on to read", async () => {
  const archive = gzipSync(Buffer.concat([tar(file("package/a", "seen")), tar(file("package/a", "hidden"))]));
  expect(await unpackHostile(archive)).toEqual({ code: "archive.trailing-data", left: [] });
});
