import { describe, expect, it } from "vitest";
import { replaceDigest } from "../../src/lock/replace-digest.ts";

const digest = "1e08503dbdf3c2cb0d706d32f3408277388d1c76ef108673e8fe42c1b322925b";
const digits = "1".repeat(32) + "2".repeat(32);

function replace(text: string, sha256 = digest): string {
  return Buffer.from(replaceDigest(Buffer.from(text), sha256, "pack.yaml")).toString();
}

describe("replaceDigest", () => {
  it.each([
    ["lock:\n  sha256: old # why\n  path: a\n", `lock:\n  sha256: ${digest} # why\n  path: a\n`],
    ["a: é\r\nlock: {sha256: old}\r\n", `a: é\r\nlock: {sha256: ${digest}}\r\n`],
    ["lock: { sha256: 'old' , path: b }", `lock: { sha256: '${digest}' , path: b }`],
    ['lock: { sha256: "old" }', `lock: { sha256: "${digest}" }`],
    ["sha256: other\nlock: {sha256: 00}\n", `sha256: other\nlock: {sha256: ${digest}}\n`],
  ])("in %j touches the value only", (text, expected) => {
    expect(replace(text)).toBe(expected);
  });

  it("quotes a digest that would be a number", () => {
    expect(replace("lock: {sha256: old}", digits)).toBe(`lock: {sha256: "${digits}"}`);
  });

  it.each([
    "lock: {}",
    "lock: {sha256: {}}",
    "lock: {sha256: |\n  a\n}",
    "a: 1",
    "lock: [",
    "lock:\n  sha256: |\n    old\n",
  ])("refuses %j", (text) => {
    expect(() => replace(text)).toThrow(expect.objectContaining({ code: "lock.malformed" }));
  });
});
