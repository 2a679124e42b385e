import { describe, expect, it } from "vitest";
import { defaultLimits } from "../../src/archive/limits.ts";
import { assertSafePath } from "../../src/archive/path-rules.ts";

describe("assertSafePath refuses", () => {
  it.each<[string, string]>([
    ["/etc/passwd", "archive.path-absolute"],
    ["//host/share", "archive.path-absolute"],
    ["C:/Windows", "archive.path-drive"],
    ["c:x", "archive.path-drive"],
    ["p/C:/x", "archive.path-drive"],
    ["p/C:", "archive.path-drive"],
    ["..", "archive.path-parent"],
    ["../x", "archive.path-parent"],
    ["p/../../x", "archive.path-parent"],
    ["p/a/..", "archive.path-parent"],
    ["p\\..\\x", "archive.path-backslash"],
    ["p/a\0b", "archive.path-control"],
    ["p/a\nb", "archive.path-control"],
    ["p/a\u007fb", "archive.path-control"],
    ["p/a\u009bb", "archive.path-control"],
    ["", "archive.path-segment"],
    ["p//a", "archive.path-segment"],
    ["p/./a", "archive.path-segment"],
    ["./p/a", "archive.path-segment"],
    ["p/a/", "archive.path-segment"],
    [`p/${"n".repeat(256)}`, "archive.name-too-long"],
    [`p/${"ä".repeat(128)}`, "archive.name-too-long"],
    [`p${"/a".repeat(64)}`, "archive.path-too-deep"],
    [`p/${"12345678/".repeat(30)}${"é".repeat(400)}`, "archive.path-too-long"],
  ])("%j: %s", (path, code) => {
    expect(() => assertSafePath(path, "test", defaultLimits)).toThrow(expect.objectContaining({ code }));
  });
});

describe("assertSafePath accepts", () => {
  it.each([
    "p/a",
    "p/..a/b..",
    "p/...",
    "p/.npmignore",
    "p/a b/ü/日本",
    "p/ab:c",
    `p/${"n".repeat(255)}`,
    `p${"/a".repeat(63)}`,
    `p${`/${"n".repeat(200)}`.repeat(5)}`,
  ])("%j", (path) => {
    expect(() => assertSafePath(path, "test", defaultLimits)).not.toThrow();
  });
});
