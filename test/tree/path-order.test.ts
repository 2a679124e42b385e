import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Entry } from "../../src/tree/entry.ts";
import { parseListing } from "../../src/tree/parse-listing.ts";
import { comparePaths } from "../../src/tree/path-order.ts";
import { pathProblem } from "../../src/tree/path-rules.ts";
import { printListing } from "../../src/tree/print-listing.ts";
import { toListing } from "../../src/tree/to-listing.ts";

const name = fc
  .string({ unit: "binary", minLength: 1, maxLength: 8 })
  .filter((value) => value.isWellFormed() && pathProblem(value) === undefined);

test("comparePaths orders as LC_ALL=C sort does", () => {
  const paths = fc.sample(
    fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/")),
    3_000,
  );
  const unique = [...new Set([...paths, "a-b", "a/b", "a", "\ufb01", "\u{1d54f}", "\uffff", "\u{10000}"])];
  const sorted = execFileSync("sort", {
    input: `${unique.join("\n")}\n`,
    env: { PATH: process.env.PATH, LC_ALL: "C" },
  });
  expect(unique.sort(comparePaths)).toEqual(sorted.toString().trimEnd().split("\n"));
});

test("comparePaths orders as the bytes do", () => {
  const wild = fc.string({ unit: "binary", maxLength: 6 }).filter((value) => value.isWellFormed());
  fc.assert(
    fc.property(wild, wild, (a, b) => {
      expect(Math.sign(comparePaths(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
    { numRuns: 2_000 },
  );
});

test("print and parse are each other's inverse", () => {
  const entry = fc.record({
    type: fc.constantFrom("f" as const, "x" as const, "d" as const),
    size: fc.nat(),
    digest: fc.stringMatching(/^[0-9a-f]{64}$/),
    path: name,
  });
  const entries = fc.uniqueArray(entry, {
    selector: ({ path }) => path.normalize("NFD").toUpperCase(),
    maxLength: 12,
  });
  fc.assert(
    fc.property(entries, (list) => {
      const listing = tryListing(list.map(toEntry));
      if (listing === undefined) return;
      expect(parseListing(printListing(listing.entries))).toEqual(listing);
    }),
  );
});

function toEntry(entry: Entry): Entry {
  return entry.type === "d" ? { ...entry, size: 0, digest: "" } : entry;
}

/** Undefined where two random names collide in a way that the generator's own folding does not see. */
function tryListing(entries: readonly Entry[]) {
  try {
    return toListing(entries);
  } catch (error) {
    expect(error).toMatchObject({ code: "tree.path-collision" });
    return undefined;
  }
}
