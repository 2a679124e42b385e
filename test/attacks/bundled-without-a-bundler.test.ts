import { expect, test } from "vitest";
import { codesOf } from "../lock/small-lock.ts";

test("an entry marked as bundled, so that it needs no integrity", async () => {
  const lock = { packages: { a: { version: "1.0.0", inBundle: true } } };
  expect(await codesOf(lock)).toEqual(["lock.bundle-orphan"]);
});
