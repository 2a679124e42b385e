import { expect, test } from "vitest";
import { unpackHostile } from "../support/attack.ts";
import { bomb, header } from "../support/tarball.ts";

test("a pax header of 1 GB that a reader keeps in memory", async () => {
  const archive = bomb(header({ name: "x", type: "x", size: 1024 ** 3 }), Buffer.alloc(1024 ** 2, "9"), 1024);
  expect(await unpackHostile(archive)).toEqual({ code: "archive.extension-too-large", left: [] });
});
