import { describe, expect, it } from "vitest";
import { defaultLimits, type Limits } from "../../src/archive/limits.ts";
import { PathRegistry } from "../../src/archive/path-registry.ts";
import { foldPath } from "../../src/tree/fold-path.ts";

/** A trailing slash makes a directory. */
function addAll(paths: readonly string[], limits: Limits = defaultLimits): string[] {
  const registry = new PathRegistry(limits);
  return paths.flatMap((path) =>
    path.endsWith("/")
      ? registry.add(path.slice(0, -1), "directory", path)
      : registry.add(path, "file", path),
  );
}

describe("PathRegistry refuses", () => {
  it.each<[string, readonly string[], string]>([
    ["the same file twice", ["a/b", "a/b"], "archive.path-duplicate"],
    ["the same directory twice", ["a/", "a/"], "archive.path-duplicate"],
    ["case", ["a/B", "a/b"], "archive.path-collision"],
    ["case of a folder", ["A/x", "a/y"], "archive.path-collision"],
    ["`FOO/` and file `foo`", ["FOO/", "foo"], "archive.path-collision"],
    ["file `foo`, then below `FOO`", ["foo", "FOO/x"], "archive.path-collision"],
    ["NFC and NFD", ["caf\u00e9", "cafe\u0301"], "archive.path-collision"],
    ["NFC and NFD folders", ["caf\u00e9/a", "cafe\u0301/b"], "archive.path-collision"],
    ["ß and ss", ["stra\u00dfe", "strasse"], "archive.path-collision"],
    ["capital ß and SS", ["\u1e9e", "SS"], "archive.path-collision"],
    ["Kelvin sign and k", ["\u212a", "k"], "archive.path-collision"],
    ["two sigmas", ["\u03c3", "\u03c2"], "archive.path-collision"],
    ["ligature and letters", ["\ufb01", "fi"], "archive.path-collision"],
    ["a file used as a folder", ["a", "a/b"], "archive.path-conflict"],
    ["a folder used as a file", ["a/b", "a"], "archive.path-conflict"],
  ])("%s", (_, paths, code) => {
    expect(() => addAll(paths)).toThrow(expect.objectContaining({ code }));
  });

  it("more entries than the limit, implied folders included", () => {
    const limits = { ...defaultLimits, entries: 3 };
    expect(() => addAll(["a/b/c/d"], limits)).toThrow(
      expect.objectContaining({ code: "archive.too-many-entries" }),
    );
    expect(addAll(["a/b/c"], limits)).toEqual(["a", "a/b"]);
  });

  it("more path text than the limit", () => {
    const limits = { ...defaultLimits, pathTotal: 20 };
    expect(() => addAll(["aaaa/bbbbbb"], limits)).toThrow(
      expect.objectContaining({ code: "archive.paths-too-large" }),
    );
  });
});

describe("PathRegistry", () => {
  it("returns new folders once, outermost first", () => {
    expect(addAll(["a/b/c", "a/b/d", "a/b/", "a/e/", "f"])).toEqual(["a", "a/b", "a/e"]);
  });

  it("keeps apart what no file system takes for one", () => {
    expect(foldPath("e")).not.toBe(foldPath("\u00e9"));
    expect(foldPath("\u00e5")).not.toBe(foldPath("a"));
  });
});
