import { expect, test } from "vitest";
import { buildHostile } from "../support/attack.ts";
import { tinyElf } from "../support/tiny-elf.ts";

test("other bytes in the place of a qualified executable, of a version that prints the same", async () => {
  const result = await buildHostile(({ packages }) => {
    const files = packages["tool-linux-x64"]?.files;
    if (files) files["bin/tool"] = [Buffer.concat([tinyElf("x64", "tool 2.0.0"), Buffer.from("evil")])];
  });
  expect(result).toEqual({ code: "pack.executable-digest", left: [] });
});
