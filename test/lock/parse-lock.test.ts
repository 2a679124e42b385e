import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { parseLock } from "../../src/lock/parse-lock.ts";
import { parseRootManifest } from "../../src/lock/parse-root-manifest.ts";
import { verifyLockDigest } from "../../src/lock/verify-lock-digest.ts";
import { entry, lockBytes, root } from "./small-lock.ts";

const sound = lockBytes({ "node_modules/a": entry() });

function changed(changes: Record<string, unknown>): Buffer {
  return lockBytes({ "node_modules/a": entry() }, root, changes);
}

function withEntry(changes: Record<string, unknown>): Buffer {
  return lockBytes({ "node_modules/a": { ...entry(), ...changes } });
}

describe("parseLock", () => {
  it("reads entries in the order of their bytes, with defaults", () => {
    const lock = parseLock(
      lockBytes({
        "node_modules/b": entry(),
        "node_modules/@s/a": entry("1.0.0", { name: "real", bin: "cli.js", os: "linux" }),
      }),
      "lock",
    );
    expect(lock.entries.map((item) => item.location)).toEqual(["node_modules/@s/a", "node_modules/b"]);
    expect(lock.entries[0]).toMatchObject({
      folder: "@s/a",
      name: "real",
      commands: ["a"],
      os: ["linux"],
      link: false,
    });
    expect(lock.root).toMatchObject({ name: "small", dependencies: { a: "^1.0.0" }, devDependencies: {} });
  });

  it.each([
    ["lock.crlf", Buffer.from(sound.toString().replaceAll("\n", "\r\n"))],
    ["lock.not-json", Buffer.from("{")],
    ["lock.not-json", Buffer.concat([Buffer.from("\ufeff"), sound])],
    ["lock.not-json", Buffer.from([0x22, 0xff, 0x22])],
    ["lock.too-large", Buffer.alloc(16 * 1024 * 1024 + 1, " ")],
    ["lock.version-1", changed({ lockfileVersion: 1 })],
    ["lock.version-1", Buffer.from('{"dependencies":{}}')],
    ["lock.version-2", changed({ lockfileVersion: 2 })],
    ["lock.version-unknown", changed({ lockfileVersion: 4 })],
    ["lock.version-unknown", changed({ lockfileVersion: "3" })],
    ["lock.malformed", Buffer.from("[]")],
    ["lock.malformed", changed({ packages: [] })],
    ["lock.malformed", changed({ packages: { "node_modules/a": entry() } })],
    ["lock.malformed", withEntry({ version: "^1.0.0" })],
    ["lock.malformed", withEntry({ version: undefined })],
    ["lock.malformed", withEntry({ integrity: ["sha512-x"] })],
    ["lock.malformed", withEntry({ hasInstallScript: "no" })],
    ["lock.malformed", withEntry({ os: [1] })],
    ["lock.malformed", withEntry({ bin: 1 })],
  ])("refuses %s", (code, bytes) => {
    expect(() => parseLock(bytes, "lock")).toThrow(expect.objectContaining({ code }));
  });

  it("bounds the number of entries", () => {
    const many = Object.fromEntries(
      Array.from({ length: 20_001 }, (_, index) => [`node_modules/p${index}`, {}]),
    );
    expect(() => parseLock(lockBytes(many), "lock")).toThrow(
      expect.objectContaining({ code: "lock.too-large" }),
    );
  });
});

describe("parseRootManifest", () => {
  it("takes a name that is in both maps for optional, as npm does", () => {
    const bytes = Buffer.from('{"dependencies":{"a":"1","b":"1"},"optionalDependencies":{"a":"2"}}');
    const { dependencies, optionalDependencies } = parseRootManifest(bytes, "package.json");
    expect({ dependencies, optionalDependencies }).toEqual({
      dependencies: { b: "1" },
      optionalDependencies: { a: "2" },
    });
  });

  it.each([
    "workspaces",
    "packageExtensions",
    "patchedDependencies",
    "bundleDependencies",
    "bundledDependencies",
  ])("refuses %s", (key) => {
    const bytes = Buffer.from(JSON.stringify({ ...root, [key]: [] }));
    expect(() => parseRootManifest(bytes, "package.json")).toThrow(
      expect.objectContaining({ code: "lock.unsupported-feature" }),
    );
  });
});

describe("verifyLockDigest", () => {
  const digest = createHash("sha256").update(sound).digest("hex");

  it("accepts the pinned bytes, whatever they are", () => {
    expect(() => verifyLockDigest(sound, digest, "lock")).not.toThrow();
    const garbage = Buffer.from("no lock at all");
    const other = createHash("sha256").update(garbage).digest("hex");
    expect(() => verifyLockDigest(garbage, other, "lock")).not.toThrow();
  });

  it("refuses one changed byte, with both digests", () => {
    const bytes = Buffer.from(sound);
    bytes[10] = (bytes[10] ?? 0) ^ 1;
    const got = createHash("sha256").update(bytes).digest("hex");
    expect(() => verifyLockDigest(bytes, digest, "lock")).toThrow(
      expect.objectContaining({
        code: "lock.digest-mismatch",
        exit: 1,
        details: { file: "lock", expected: digest, got },
      }),
    );
  });

  it("recognises converted line ends", () => {
    const bytes = Buffer.from(sound.toString().replaceAll("\n", "\r\n"));
    expect(() => verifyLockDigest(bytes, digest, "lock")).toThrow(
      expect.objectContaining({ code: "lock.digest-mismatch", remedy: expect.stringContaining("line ends") }),
    );
  });
});
