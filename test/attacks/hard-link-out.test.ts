import { expect, test } from "vitest";
import { unpackHostile } from "../support/attack.ts";
import { entry, file, tgz } from "../support/tarball.ts";

test("a hard link to a file of the machine, to be overwritten by the next entry", async () => {
  const archive = tgz(
    entry({ name: "package/l", type: "1", linkName: "/etc/hostname" }),
    file("package/l", "x"),
  );
  expect(await unpackHostile(archive)).toEqual({ code: "archive.hard-link", left: [] });
});
