import { describe, expect, it } from "vitest";
import { childState, rootState } from "../../src/image/dockerignore.ts";
import { parseDockerignore } from "../../src/image/dockerignore-pattern.ts";

function visible(rules: string, path: string) {
  const patterns = parseDockerignore(Buffer.from(rules));
  const names = path.split("/");
  let state = rootState(patterns);
  for (const [index, name] of names.entries())
    state = childState(patterns, state, name, index < names.length - 1);
  return { buildkit: state.buildkit, classic: state.classic, old: state.old };
}

function all(value: boolean) {
  return { buildkit: value, classic: value, old: value };
}

describe("dockerignore", () => {
  it.each([
    ["no rule", "", "a", true],
    ["a name", "a", "a", false],
    ["a name is anchored", "a", "b/a", true],
    ["what is below a name", "a", "a/b/c", false],
    ["a comment", "#a", "#a", true],
    ["a comment with a blank before is a rule", " #a", "#a", false],
    ["white space around", "  a\t", "a", false],
    ["a carriage return", "a\r\nb\r\n", "b", false],
    ["a byte order mark", "\uFEFFa\n", "a", false],
    ["a leading slash", "/a", "a", false],
    ["a trailing slash", "a/", "a", false],
    ["dots", "./a/../b", "b", false],
    ["star", "*.md", "a.md", false],
    ["star stays in its folder", "*.md", "a/b.md", true],
    ["star matches a leading dot", "*", ".env", false],
    ["question mark", "a?", "ab", false],
    ["question mark is not a slash", "a?b", "a/b", true],
    ["question mark is one character beyond the BMP", "?", "\u{1F600}", false],
    ["double star", "**/a", "x/y/a", false],
    ["double star matches no folder, too", "**/a", "a", false],
    ["inner double star", "a/**/b", "a/x/y/b", false],
    ["inner double star, no folder", "a/**/b", "a/b", false],
    ["trailing double star", "a/**", "a/b/c", false],
    ["trailing double star leaves the folder", "a/**", "a", true],
    ["only a double star", "**", "a/b", false],
    ["class", "[ab]", "a", false],
    ["negated class", "[^ab]", "a", true],
    ["range", "[a-c]x", "bx", false],
    ["escaped star", "\\*", "*", false],
    ["escaped star is no wildcard", "\\*", "a", true],
    ["exception", "*\n!a", "a", true],
    ["what an exception beside it leaves ignored", "a\n!a/b", "a/c", false],
    ["exception below a folder", "a\n!a/b", "a/b", true],
    ["the last rule wins", "!a\na", "a", false],
    ["exception below, then ignored again", "a\n!a/b\na/b/c", "a/b/c", false],
    ["a bracket character needs no escape in text", "a.b+(c)", "a.b+(c)", false],
    ["case matters", "A", "a", true],
  ] as const)("%s", (_name, rules, path, expected) => {
    expect(visible(rules, path)).toEqual(all(expected));
  });

  it("says where builders differ", () => {
    expect(visible("*\n!*/keep", "a/keep")).toEqual({ buildkit: true, classic: false, old: false });
    expect(visible("**/x\n!a/b/x/d", "a/b/x/c")).toEqual({ buildkit: false, classic: false, old: true });
  });

  it.each([
    ["!"],
    ["!!a"],
    ["**a"],
    ["a***"],
    ["[a"],
    ["[]a]"],
    ["[a-]"],
    ["[z-a]"],
    ["[[:alpha:]]"],
    ["a^b"],
    ["a]"],
    ["\\d"],
    ["a\\"],
    ["\\é"],
    ["?".repeat(33)],
    ["a".repeat(1025)],
  ])("refuses %s", (rule) => {
    expect(() => parseDockerignore(Buffer.from(`ok\n${rule}\n`))).toThrowError(
      expect.objectContaining({
        code: "image.dockerignore-pattern",
        message: expect.stringContaining(".dockerignore:2"),
      }),
    );
  });

  it("refuses what is too large or not UTF-8", () => {
    const code = (bytes: Uint8Array) => {
      try {
        return parseDockerignore(bytes).length;
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    expect(code(Buffer.alloc(256 * 1024 + 1, "\n"))).toBe("image.dockerignore-too-large");
    expect(code(Buffer.from("a\n".repeat(5000)))).toBe("image.dockerignore-too-large");
    expect(code(Buffer.from([0x61, 0xff]))).toBe("image.dockerignore-not-utf8");
  });

  it("is not slowed down by a hostile rule", () => {
    const started = performance.now();
    const path = Array.from({ length: 30 }, () => "a".repeat(60)).join("/");
    visible(`${"**/*a".repeat(15)}b\n${"*a".repeat(30)}b`, path);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
