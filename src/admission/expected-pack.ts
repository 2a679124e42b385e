import { createHash } from "node:crypto";
import { printManifest } from "../manifest/print-manifest.ts";
import type { Manifest, ManifestInterpreter } from "../manifest/types.ts";
import { admissionError } from "./errors.ts";

/** What a sandbox is asked about: the controller's manifest, and what follows from it. */
export interface ExpectedPack {
  readonly manifest: Manifest;
  /** Of the bytes of sealpack.json. */
  readonly manifestSha256: string;
  /** 64 hex of the manifest digest: the name of a staged pack's directory. */
  readonly id: string;
  readonly interpreter: ManifestInterpreter;
}

/** @throws `admission.not-a-release`, `admission.no-interpreter` */
export function toExpectedPack(manifest: Manifest): ExpectedPack {
  const { release, interpreter, name } = manifest.payload;
  if (!release) {
    throw admissionError("admission.not-a-release", {
      subject: `manifest of ${name}`,
      expected: "release: true",
      got: "release: false",
    });
  }
  if (!isInterpreter(interpreter)) {
    throw admissionError("admission.no-interpreter", {
      subject: `manifest of ${name}`,
      expected: "an interpreter",
      got: "none",
    });
  }
  const manifestSha256 = createHash("sha256").update(printManifest(manifest)).digest("hex");
  return { manifest, manifestSha256, id: manifest.digest.replace(/^sha256:/, ""), interpreter };
}

function isInterpreter(value: Manifest["payload"]["interpreter"]): value is ManifestInterpreter {
  return "path" in value;
}
