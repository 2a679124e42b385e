import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { digestComponents } from "../../src/tree/digest-components.ts";
import type { Entry } from "../../src/tree/entry.ts";
import { toListing } from "../../src/tree/to-listing.ts";

const hex = "ab".repeat(32);
const directory = (path: string): Entry => ({ type: "d", size: 0, digest: "", path });
const file = (path: string): Entry => ({ type: "f", size: 1, digest: hex, path });
const listing = toListing([
  ...["dist", "m", "m/a", "m/a/m", "m/a/m/b", "m/a-x", "m/stub", "m/stub/bin"].map(directory),
  ...["dist/bridge", "m/a/1", "m/a/m/b/2", "m/a-x/3", "m/stub/bin/tool", "m/stub/package"].map(file),
]);
const sha256 = (...lines: string[]) =>
  createHash("sha256")
    .update(lines.map((line) => `${line}\n`).join(""))
    .digest("hex");
const d = (path: string) => `d\t-\t-\t${path}`;
const f = (path: string) => `f\t1\t${hex}\t${path}`;
const locations = ["m/a", "m/a/m/b", "m/a-x", "m/stub"];

describe("digestComponents", () => {
  test("takes the lines strictly below a location, without those below a nearer one", () => {
    const digests = digestComponents(listing, locations, []);
    expect(digests).toEqual(
      new Map([
        ["m/a", sha256(f("m/a/1"), d("m/a/m"), d("m/a/m/b"))],
        ["m/a/m/b", sha256(f("m/a/m/b/2"))],
        ["m/a-x", sha256(f("m/a-x/3"))],
        ["m/stub", sha256(d("m/stub/bin"), f("m/stub/bin/tool"), f("m/stub/package"))],
      ]),
    );
  });

  test("gives a placed file to the component it came from, in listing order", () => {
    const digests = digestComponents(listing, locations, [{ path: "m/stub/bin/tool", from: "m/a" }]);
    expect(digests.get("m/a")).toBe(sha256(f("m/a/1"), d("m/a/m"), d("m/a/m/b"), f("m/stub/bin/tool")));
    expect(digests.get("m/stub")).toBe(sha256(d("m/stub/bin"), f("m/stub/package")));
  });

  test("takes a file placed from a location to where no component is", () => {
    const digests = digestComponents(listing, locations, [{ path: "dist/bridge", from: "m/a-x" }]);
    expect(digests.get("m/a-x")).toBe(sha256(f("dist/bridge"), f("m/a-x/3")));
  });

  test("gives a component without lines the digest of nothing", () => {
    expect(digestComponents(listing, ["m/none"], []).get("m/none")).toBe(sha256());
  });

  test.each([
    [{ path: "m/none", from: "m/a" }],
    [{ path: "m/stub/bin", from: "m/a" }],
    [{ path: "m/stub/bin/tool", from: "m/none" }],
  ])("refuses %j", (placed) => {
    expect(() => digestComponents(listing, locations, [placed])).toThrow(
      expect.objectContaining({ code: "tree.placed-not-listed" }),
    );
  });
});
