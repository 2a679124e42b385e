export type { Entry, EntryType, Listing } from "../tree/entry.ts";
export type { Finding } from "../tree/finding.ts";
export { parseListing } from "../tree/parse-listing.ts";
export { type DifferenceKind, diffManifests, type ManifestDifference } from "./diff-manifests.ts";
export { parseExpected, parseManifest } from "./parse-manifest.ts";
export {
  digestPayload,
  printExpected,
  printManifest,
  sealManifest,
  toExpectedDocument,
  toExpectedPayload,
} from "./print-manifest.ts";
export type * from "./types.ts";
export { exitOf, type PackReport, verifyPack } from "./verify-pack.ts";
