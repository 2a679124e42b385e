import { expect, test } from "vitest";
import { unpackHostile } from "../support/attack.ts";
import { bomb, header } from "../support/tarball.ts";

test("an archive of a few KB that unpacks to gigabytes", async () => {
  const archive = bomb(header({ name: "package/a", size: 1024 ** 3 }), Buffer.alloc(1024 ** 2), 1000);
  expect(await unpackHostile(archive, { bytes: 8 * 1024 ** 2 })).toEqual({
    code: "archive.too-many-bytes",
    left: [],
  });
});
