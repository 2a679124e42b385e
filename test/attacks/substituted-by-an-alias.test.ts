import { expect, test } from "vitest";
import { codesOf, entry } from "../lock/small-lock.ts";

test("a lock entry that puts another package where one was asked for", async () => {
  const lock = { packages: { a: entry("1.0.0", { name: "evil" }) } };
  expect(await codesOf(lock)).toEqual(["lock.alias-mismatch"]);
});
