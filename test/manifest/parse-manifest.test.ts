import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isSealpackError } from "../../src/errors.ts";
import type { ManifestCode } from "../../src/manifest/errors.ts";
import { parseExpected, printExpected, toExpectedPayload } from "../../src/manifest/expected.ts";
import { parseManifest } from "../../src/manifest/parse-manifest.ts";
import { printDocument, printManifest } from "../../src/manifest/print-manifest.ts";
import { digestPayload, sealManifest } from "../../src/manifest/seal-manifest.ts";
import type { Payload } from "../../src/manifest/types.ts";
import { hex64, smallPayload } from "../support/small-payload.ts";

function codeOf(bytes: Uint8Array): string {
  try {
    parseManifest(bytes);
    return "sound";
  } catch (error) {
    return isSealpackError(error) ? error.code : String(error);
  }
}

/** A manifest sealed over a payload in which the value at a dotted path is another; undefined removes it. */
function sealedWith(path: string, value: unknown): Buffer {
  const payload = structuredClone(smallPayload) as unknown as Record<string, unknown>;
  const keys = path.split("|");
  const last = keys.pop() as string;
  const parent = keys.reduce((object, key) => object[key] as Record<string, unknown>, payload);
  if (value === undefined) delete parent[last];
  else Object.defineProperty(parent, last, { value, enumerable: true, configurable: true });
  return printManifest(sealManifest(payload as unknown as Payload));
}

describe("parseManifest", () => {
  test("reads what was printed", () => {
    const manifest = sealManifest(smallPayload);
    expect(parseManifest(printManifest(manifest))).toEqual(manifest);
    expect(manifest.digest).toBe(digestPayload(smallPayload));
    expect(manifest.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  test.each<[string, unknown, ManifestCode | "sound"]>([
    ["interpreter", {}, "sound"],
    ["components", {}, "sound"],
    ["commands|tool|entry", undefined, "sound"],
    ["components|node_modules/@scope/alpha|integrity", "", "sound"],
    ["release", false, "sound"],
    ["name", undefined, "manifest.missing-key"],
    ["interpreter|undici", undefined, "manifest.missing-key"],
    ["commands|tool|launcher", undefined, "manifest.missing-key"],
    ["extra", 1, "manifest.unknown-key"],
    ["target|abi", "", "manifest.unknown-key"],
    ["interpreter|extra", "", "manifest.unknown-key"],
    ["commands|tool|extra", "", "manifest.unknown-key"],
    ["__proto__", {}, "manifest.unknown-key"],
    ["commands|__proto__", {}, "manifest.name"],
    ["commands|7", {}, "manifest.name"],
    ["commands|Tool", {}, "manifest.name"],
    ["commands|", {}, "manifest.name"],
    ["commands|a b", {}, "manifest.name"],
    ["components|node_modules/é", {}, "manifest.name"],
    ["components|node_modules/../a", {}, "manifest.path"],
    ["components|node_modules//a", {}, "manifest.path"],
    ["name", "Small", "manifest.name"],
    ["name", 7, "manifest.name"],
    ["name", "12", "manifest.name"],
    ["target", [], "manifest.type"],
    ["target", null, "manifest.type"],
    ["target|platform", "win32", "manifest.type"],
    ["target|libc", "", "manifest.type"],
    ["release", "true", "manifest.type"],
    ["release", 1, "manifest.type"],
    ["lock|manager", "pnpm", "manifest.type"],
    ["components", [], "manifest.type"],
    ["components|node_modules/@scope/alpha|version", "", "manifest.type"],
    ["components|node_modules/@scope/alpha|version", "1\n2", "manifest.type"],
    ["components|node_modules/@scope/alpha|patches", {}, "manifest.type"],
    ["commands|tool|version", null, "manifest.type"],
    ["candidates|pi|qualification", "done", "manifest.type"],
    ["requires|glibc", 2, "manifest.type"],
    ["requires|cpu", ["b", "a"], "manifest.unsorted-list"],
    ["requires|cpu", ["a", "a"], "manifest.unsorted-list"],
    ["requires|cpu", [1], "manifest.type"],
    ["tree|entries", -1, "manifest.number"],
    ["tree|entries", 1.5, "manifest.number"],
    ["tree|bytes", 2 ** 53, "manifest.number"],
    ["tree|bytes", "4", "manifest.number"],
    ["lock|sha256", hex64("A"), "manifest.hex"],
    ["lock|sha256", hex64("1").slice(1), "manifest.hex"],
    ["lock|sha256", `sha256:${hex64("1")}`, "manifest.hex"],
    ["tree|digest", "", "manifest.hex"],
    ["components|node_modules/@scope/alpha|digest", 5, "manifest.hex"],
    ["commands|tool|entry|sha256", `${hex64("1")}\n`, "manifest.hex"],
    ["lock|path", "/etc/passwd", "manifest.path"],
    ["lock|path", "../lock", "manifest.path"],
    ["lock|path", "", "manifest.path"],
    ["commands|tool|launcher|path", "a/./b", "manifest.path"],
    ["commands|tool|executable|path", "a\\b", "manifest.path"],
    ["commands|tool|entry|path", "a\u0000b", "manifest.path"],
    ["commands|tool|entry|path", "sealpack.json", "manifest.path"],
    ["bridges|codex-acp|path", "a//b", "manifest.path"],
    ["prerequisites|grok|path", "opt/grok", "manifest.path"],
    ["prerequisites|grok|path", "/opt/../grok", "manifest.path"],
    ["sourceRevision", "0123456", "manifest.source-revision"],
    ["sourceRevision", "F".repeat(40), "manifest.source-revision"],
    ["sourceRevision", "f".repeat(41), "manifest.source-revision"],
    ["bridgeDigest", hex64("0"), "manifest.bridge-digest"],
    ["bridges|codex-acp|version", "9.9.9", "manifest.bridge-digest"],
  ])("%s as %j: %s", (path, value, code) => {
    expect(codeOf(sealedWith(path, value))).toBe(code);
  });

  test.each([
    ["0123456", "sound"],
    ["f".repeat(40), "sound"],
    ["012345", "manifest.source-revision"],
    ["", "manifest.source-revision"],
    ["main", "manifest.source-revision"],
  ])("the revision %j where it is no release: %s", (sourceRevision, code) => {
    expect(codeOf(printManifest(sealManifest({ ...smallPayload, release: false, sourceRevision })))).toBe(
      code,
    );
  });

  const printed = printManifest(sealManifest(smallPayload)).toString();
  test.each<[string, string, ManifestCode]>([
    [
      "a number in another spelling",
      printed.replace('"entries": 3', '"entries": 3.0'),
      "manifest.not-canonical",
    ],
    ["an exponent", printed.replace('"entries": 3', '"entries": 3e0'), "manifest.not-canonical"],
    ["minus zero", printed.replace('"entries": 3', '"entries": -0'), "manifest.not-canonical"],
    ["more than 1 MiB", printed + " ".repeat(1024 * 1024), "manifest.too-large"],
    ["a byte order mark", `\ufeff${printed}`, "manifest.byte-order-mark"],
    ["CRLF", printed.replaceAll("\n", "\r\n"), "manifest.not-canonical"],
    ["the RFC 8785 form", JSON.stringify(JSON.parse(printed)), "manifest.not-canonical"],
    [
      "keys in another order",
      printed.replace(/("bytes": \d+),\n(\s+)("digest": "b+")/, "$3,\n$2$1"),
      "manifest.not-canonical",
    ],
    ["another digest", printed.replace(/sha256:./, "sha256:g"), "manifest.digest"],
    ["two documents", printed + printed, "manifest.not-json"],
    ["a comment", `// x\n${printed}`, "manifest.not-json"],
    ["a list", "[]", "manifest.schema-unknown"],
    ["null", "null", "manifest.schema-unknown"],
    ["no schema", "{}", "manifest.schema-unknown"],
    ["the expected schema", printExpected(smallPayload).toString(), "manifest.schema-unknown"],
    ["the schema alone", '{"schema":"sealpack/manifest/v1"}', "manifest.missing-key"],
    ["a million brackets", "[".repeat(1_000_000), "manifest.not-json"],
    ["a hundred thousand levels", "[".repeat(100_000) + "]".repeat(100_000), "manifest.schema-unknown"],
  ])("%s", (_name, text, code) => {
    expect(text).not.toBe(printed);
    expect(codeOf(Buffer.from(text))).toBe(code);
  });

  test("survives any bytes with a code", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        expect(codeOf(bytes)).toMatch(/^manifest\./);
      }),
      { numRuns: 500 },
    );
  });

  test("survives any JSON with a code", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (payload) => {
        const text = JSON.stringify({ schema: "sealpack/manifest/v1", digest: "", payload });
        expect(codeOf(Buffer.from(text))).toMatch(/^manifest\./);
      }),
      { numRuns: 500 },
    );
  });
});

describe("the expected document", () => {
  test("has everything but provenance, and round-trips", () => {
    const bytes = printExpected(smallPayload);
    const document = parseExpected(bytes);
    expect(document).toEqual({ schema: "sealpack/expected/v1", payload: toExpectedPayload(smallPayload) });
    expect(Object.keys(document.payload)).not.toContain("release");
    expect(Object.keys(document.payload)).not.toContain("sourceRevision");
    expect(printExpected(document.payload)).toEqual(bytes);
  });

  test.each<[string, object, ManifestCode]>([
    ["provenance", { schema: "sealpack/expected/v1", payload: smallPayload }, "manifest.unknown-key"],
    [
      "a wrong bridgeDigest",
      {
        schema: "sealpack/expected/v1",
        payload: { ...toExpectedPayload(smallPayload), bridgeDigest: hex64("0") },
      },
      "manifest.bridge-digest",
    ],
    ["a manifest", sealManifest(smallPayload), "manifest.schema-unknown"],
  ])("refuses %s", (_name, document, code) => {
    expect(() => parseExpected(printDocument(document))).toThrow(expect.objectContaining({ code }));
  });
});
