import { printJson } from "./print-json.ts";
import type { Manifest } from "./types.ts";

/** A manifest's bytes on disk (design 3): sorted keys, two spaces, final newline. */
export function printManifest(manifest: Manifest): Buffer {
  return printDocument(manifest);
}

/** Any document in the form on disk. @throws `manifest.not-printable` */
export function printDocument(document: object): Buffer {
  return Buffer.from(`${printJson(document, 2)}\n`);
}
