import { describe, expect, it } from "vitest";
import { defaultCacheDir } from "../../src/fetch/default-cache-dir.ts";
import {
  defaultRegistry,
  showUrl,
  toRegistry,
  toResolvedUrl,
  toTarballUrl,
} from "../../src/fetch/tarball-url.ts";

const origin = defaultRegistry.replace(/\/$/, "");

describe("toTarballUrl", () => {
  it.each([
    ["a", "1.0.0", "https://r.test/npm/a/-/a-1.0.0.tgz"],
    ["@s/a", "1.0.0-rc.1", "https://r.test/npm/@s/a/-/a-1.0.0-rc.1.tgz"],
    ["a", "1.0.0+b", "https://r.test/npm/a/-/a-1.0.0%2Bb.tgz"],
  ])("%s@%s", (name, version, url) => {
    expect(toTarballUrl("https://r.test/npm/", name, version)).toBe(url);
  });
});

describe("toRegistry", () => {
  const options = { registry: "https://r.test/", "@s:registry": "https://s.test/npm/" };
  it("takes the scope's own", () => expect(toRegistry("@s/a", options)).toBe("https://s.test/npm"));
  it("takes the general one", () => expect(toRegistry("a", options)).toBe("https://r.test"));
  it("takes npm's default", () => expect(toRegistry("a", {})).toBe(origin));
});

describe("toResolvedUrl", () => {
  it.each<[string, string, string | undefined, string]>([
    [
      "a mirror replaces the default",
      `${origin}/a/-/a-1.0.0.tgz`,
      undefined,
      "https://r.test/npm/a/-/a-1.0.0.tgz",
    ],
    ["another host stays", "https://x.test/a.tgz", undefined, "https://x.test/a.tgz"],
    ["`never` keeps the default", `${origin}/a.tgz`, "never", `${origin}/a.tgz`],
    ["`always` replaces another host", "https://x.test/a.tgz?q=1", "always", "https://r.test/npm/a.tgz?q=1"],
    ["a named host is replaced", "https://x.test/a.tgz", "x.test", "https://r.test/npm/a.tgz"],
  ])("%s", (_, resolved, replaceRegistryHost, url) => {
    expect(toResolvedUrl(resolved, "https://r.test/npm/", { replaceRegistryHost }, "test")).toBe(url);
  });

  it.each(["file:///a.tgz", "git+ssh://git@x.test/a", "data:,x", "a.tgz", ""])("refuses %j", (resolved) => {
    expect(() => toResolvedUrl(resolved, "https://r.test", {}, "test")).toThrow(
      expect.objectContaining({ code: "fetch.url" }),
    );
  });
});

describe("showUrl", () => {
  it("leaves user, password and query out", () => {
    expect(showUrl("https://u:p@r.test/a.tgz?token=x#y")).toBe("https://r.test/a.tgz");
    expect(showUrl("not a url")).toBe("an invalid URL");
  });
});

describe("defaultCacheDir", () => {
  it.each<[Record<string, string>, string]>([
    [{}, "/home/u/.cache/sealpack"],
    [{ XDG_CACHE_HOME: "/x" }, "/x/sealpack"],
    [{ XDG_CACHE_HOME: "" }, "/home/u/.cache/sealpack"],
    [{ XDG_CACHE_HOME: "relative" }, "/home/u/.cache/sealpack"],
  ])("%j", (env, path) => {
    expect(defaultCacheDir(env, "/home/u")).toBe(path);
  });
});
