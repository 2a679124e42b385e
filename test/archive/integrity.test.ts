import { describe, expect, it } from "vitest";
import { IntegrityCheck, parseIntegrity } from "../../src/archive/integrity.ts";
import { sri } from "../support/tarball.ts";

const bytes = Buffer.from("bytes");
const sha512 = sri(bytes);

describe("parseIntegrity refuses", () => {
  it.each<[string, string]>([
    ["", "archive.integrity-format"],
    ["sha512", "archive.integrity-format"],
    ["sha512-", "archive.integrity-format"],
    ["sha512-AAAA", "archive.integrity-format"],
    [`${sha512}?opt`, "archive.integrity-format"],
    [sha512.slice(0, -1), "archive.integrity-format"],
    [sha512.replace("sha512", "SHA512"), "archive.integrity-format"],
    [sri(bytes, "md5"), "archive.integrity-format"],
    [`${sha512} md5-x`, "archive.integrity-format"],
    [sri(bytes, "sha1"), "archive.integrity-weak"],
    [`${sri(bytes, "sha1")} ${sri(bytes, "sha256")}`, "archive.integrity-weak"],
    [`${sha512} ${sri(Buffer.from("other"))}`, "archive.integrity-conflict"],
  ])("%j: %s", (text, code) => {
    expect(() => parseIntegrity(text, "test")).toThrow(expect.objectContaining({ code }));
  });
});

describe("IntegrityCheck", () => {
  it.each<[string, string, boolean]>([
    ["sha512", sha512, true],
    ["the same twice", `${sha512} ${sha512}`, true],
    [
      "all algorithms",
      ["sha1", "sha256", "sha384", "sha512"].map((name) => sri(bytes, name)).join(" "),
      true,
    ],
    ["other bytes", sri(Buffer.from("other")), false],
    ["a right sha512 and a wrong sha1", `${sha512} ${sri(Buffer.from("other"), "sha1")}`, false],
  ])("%s", (_, text, isRight) => {
    const check = new IntegrityCheck(parseIntegrity(text, "test"));
    check.update(bytes.subarray(0, 2));
    check.update(bytes.subarray(2));
    expect(check.finish() === undefined).toBe(isRight);
  });
});
