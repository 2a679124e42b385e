import { expect, test } from "vitest";
import { treeLimits } from "../../src/tree/limits.ts";
import { toListing } from "../../src/tree/to-listing.ts";

test("a listing is not made of more entries than a pack may have", () => {
  const digest = "ab".repeat(32);
  const entries = Array.from({ length: treeLimits.entries + 1 }, (_, index) => ({
    ...{ type: "f" as const, size: 0, digest },
    path: `f${index}`,
  }));
  expect(() => toListing(entries)).toThrow(expect.objectContaining({ code: "tree.listing-too-large" }));
});
