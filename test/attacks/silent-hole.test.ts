import { expect, test } from "vitest";
import { codesOf, entry } from "../lock/small-lock.ts";

test("a platform package that npm dropped without a word", async () => {
  const lock = { packages: { a: entry("1.0.0", { optionalDependencies: { "a-linux-x64": "1.0.0" } }) } };
  expect(await codesOf(lock)).toEqual(["lock.hole"]);
});
