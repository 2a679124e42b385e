import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseExpected, printExpected, toExpectedPayload } from "../manifest/expected.ts";
import type { ExpectedPayload, Manifest } from "../manifest/types.ts";
import { imageError } from "./errors.ts";

/** The committed payload of a pack, with candidates that of their own (design 4); undefined where none is committed. */
export function readExpectedPayload(
  context: string,
  pack: string,
  candidates: readonly string[],
): ExpectedPayload | undefined {
  const file = join(context, "manifests", pack, `${["linux-x64", ...[...candidates].sort()].join("+")}.json`);
  return existsSync(file) ? parseExpected(readFileSync(file)).payload : undefined;
}

/**
 * Whether a manifest found in an image may become the controller's own: its payload without provenance is the committed one, and it is a
 * release.
 * @throws image.manifest-differs, image.manifest-no-release, image.expected-missing
 */
export function assertAdoptable(
  manifest: Manifest,
  expected: ExpectedPayload | undefined,
  subject: string,
): void {
  if (expected === undefined) {
    throw imageError("image.expected-missing", {
      subject,
      expected: "a committed expected payload",
      got: "none for this selection",
    });
  }
  assertExpected(manifest, expected, subject);
  if (manifest.payload.release) return;
  throw imageError("image.manifest-no-release", {
    subject,
    expected: "release: true",
    got: "release: false",
  });
}

/** @throws image.manifest-differs */
export function assertExpected(manifest: Manifest, expected: ExpectedPayload, subject: string): void {
  const found = printExpected(toExpectedPayload(manifest.payload));
  if (found.equals(printExpected(expected))) return;
  const got = `tree ${manifest.payload.tree.digest}`;
  throw imageError("image.manifest-differs", {
    subject,
    expected: `the committed payload, tree ${expected.tree.digest}`,
    got,
  });
}
