import { expect, test } from "vitest";
import { codesOf, entry } from "../lock/small-lock.ts";

test("a lock whose archive is fetched from another host", async () => {
  const lock = { packages: { a: entry("1.0.0", { resolved: "https://evil.example.test/a/-/a-1.0.0.tgz" }) } };
  expect(await codesOf(lock)).toEqual(["lock.foreign-origin"]);
});
