import { assertBridgeDigest } from "./assert-invariants.ts";
import { assertCanonical, parseDocument } from "./parse-document.ts";
import { expectedPayloadShape } from "./payload-shape.ts";
import { printDocument } from "./print-manifest.ts";
import { record, text } from "./shape.ts";
import type { ExpectedDocument, ExpectedPayload } from "./types.ts";

/** The payload without provenance: what two builds of one definition share (design 4). Takes a full one or its own kind. */
export function toExpectedPayload(payload: ExpectedPayload): ExpectedPayload {
  const {
    sourceRevision: _revision,
    release: _release,
    ...expected
  } = {
    sourceRevision: "",
    release: false,
    ...payload,
  };
  return expected;
}

/** The bytes of a committed `manifests/<pack>/<target>.json`; a full payload's provenance is left out. */
export function printExpected(payload: ExpectedPayload): Buffer {
  const document: ExpectedDocument = { schema: "sealpack/expected/v1", payload: toExpectedPayload(payload) };
  return printDocument(document);
}

/**
 * The bytes of a committed `manifests/<pack>/<target>.json` (design 4).
 * @throws `manifest.*`, one code per cause
 */
export function parseExpected(bytes: Uint8Array): ExpectedDocument {
  const value: unknown = parseDocument(bytes, "sealpack/expected/v1");
  expectedShape(value, "expected");
  const document = value as ExpectedDocument;
  assertCanonical(bytes, printDocument(document));
  assertBridgeDigest(document.payload);
  return document;
}

const expectedShape = record({ schema: text, payload: expectedPayloadShape });
