import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sealManifest } from "../../src/manifest/seal-manifest.ts";
import { printListing } from "../../src/tree/print-listing.ts";
import { verifyHostile } from "../support/attack.ts";
import { type TestPack, writeControlFiles } from "../support/random-pack.ts";

/** Puts one more file into the pack, and listing and manifest right. */
function forge(root: string, { manifest, listing }: TestPack): void {
  const digest = createHash("sha256").update("evil").digest("hex");
  writeFileSync(join(root, "zz"), "evil");
  const entries = [...listing.entries, { type: "f" as const, size: 4, digest, path: "zz" }];
  const bytes = printListing(entries);
  const tree = {
    digest: createHash("sha256").update(bytes).digest("hex"),
    entries: entries.length,
    bytes: listing.bytes + 4,
  };
  writeControlFiles(root, sealManifest({ ...manifest.payload, tree }), bytes);
}

test("a changed pack sealed anew: sound in itself, but not the trusted one", async () => {
  expect(await verifyHostile(forge)).toEqual([]);
  const findings = await verifyHostile(forge, (pack) => pack.manifest);
  expect(findings).toEqual(["sealpack.json manifest.not-the-trusted"]);
});
