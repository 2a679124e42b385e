import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { toCachePath } from "../../src/fetch/cache-path.ts";
import { fetchTarballs } from "../../src/fetch/fetch-tarballs.ts";
import type { NpmOptions } from "../../src/fetch/npm-options.ts";
import { Registry } from "../support/registry.ts";
import { file, sri, tgz } from "../support/tarball.ts";
import { tempDir } from "../support/temp-dir.ts";

const archive = (body: string) => tgz(file("package/package.json", body));

/** npm's options for a registry on loopback: no proxy of the machine, no retries unless told. */
function npmFor(registry: Registry, more: NpmOptions = {}): NpmOptions {
  return {
    registry: `${registry.url}/`,
    retry: { retries: 0 },
    timeout: 2000,
    noProxy: "127.0.0.1,localhost",
    ...more,
  };
}

async function arrange(more: NpmOptions = {}) {
  const registry = await Registry.start();
  const cache = join(tempDir(), "cache");
  const options = { cache, offline: false, npm: npmFor(registry, more) };
  return { registry, cache, options };
}

/** Every file below the cache. */
function list(cache: string): string[] {
  if (!existsSync(cache)) return [];
  const names = readdirSync(cache, { recursive: true, encoding: "utf8" });
  return names.filter((name) => statSync(join(cache, name)).isFile());
}

describe("fetchTarballs", () => {
  it("brings each archive once and then asks no more, also offline", async () => {
    const { registry, cache, options } = await arrange();
    const a = registry.publish("a", "1.0.0", archive("a"));
    const b = registry.publish("@scope/b", "2.0.0-rc.1+build", archive("b"));
    const progress: unknown[] = [];
    const paths = await fetchTarballs([a, b, a], { ...options, onProgress: (step) => progress.push(step) });
    expect([...paths.keys()]).toEqual([a.integrity, b.integrity]);
    expect(readFileSync(paths.get(b.integrity) ?? "").equals(b.tarball)).toBe(true);
    expect(registry.requests).toHaveLength(2);
    expect(progress).toHaveLength(2);
    expect(list(cache)).toHaveLength(2);
    await registry.stop();
    for (const offline of [true, false])
      expect(await fetchTarballs([a, b], { ...options, offline })).toEqual(paths);
  });

  it("names everything that an offline build misses, and asks nobody", async () => {
    const { registry, options } = await arrange();
    const a = registry.publish("a", "1.0.0", archive("a"));
    const b = registry.publish("b", "1.0.0", archive("b"));
    const c = registry.publish("c", "1.0.0", archive("c"));
    await fetchTarballs([b], options);
    registry.requests.length = 0;
    await expect(fetchTarballs([c, b, a], { ...options, offline: true })).rejects.toMatchObject({
      code: "fetch.offline-missing",
      exit: 3,
      details: { missing: ["a@1.0.0", "c@1.0.0"] },
    });
    expect(registry.requests).toEqual([]);
  });

  it("takes the lock's URL first", async () => {
    const { registry, options } = await arrange();
    const a = registry.publish("a", "1.0.0", archive("a"), "/elsewhere/x.tgz");
    await fetchTarballs([{ ...a, resolved: `${registry.url}/elsewhere/x.tgz` }], options);
    expect(registry.requests.map(({ path }) => path)).toEqual(["/elsewhere/x.tgz"]);
  });

  it("asks the index when the conventional place is empty", async () => {
    const { registry, options } = await arrange();
    const a = registry.publish("@scope/a", "1.0.0", archive("a"), "/elsewhere/x.tgz");
    await fetchTarballs([a], options);
    expect(registry.requests.map(({ path }) => path)).toEqual([
      "/@scope/a/-/a-1.0.0.tgz",
      "/@scope/a",
      "/elsewhere/x.tgz",
    ]);
  });

  it("tries a broken connection again", async () => {
    const { registry, options } = await arrange();
    const a = registry.publish("a", "1.0.0", archive("a"));
    registry.misbehave("/a/-/a-1.0.0.tgz", { cut: true, times: 2 });
    await fetchTarballs([a], options);
    expect(registry.count("/a/-/a-1.0.0.tgz")).toBe(3);
  });

  it("removes what a killed download left, but not a running one", async () => {
    const { registry, cache, options } = await arrange();
    const a = registry.publish("a", "1.0.0", archive("a"));
    const path = toCachePath(cache, a.integrity, "a");
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.1.dead.tmp`, "x");
    writeFileSync(`${path}.1.alive.tmp`, "x");
    utimesSync(`${path}.1.dead.tmp`, 0, 0);
    await fetchTarballs([a], options);
    expect(readdirSync(dirname(path)).sort()).toEqual(
      [path, `${path}.1.alive.tmp`].map((name) => name.slice(dirname(path).length + 1)),
    );
  });
});

describe("fetchTarballs refuses and keeps nothing", () => {
  const path = "/a/-/a-1.0.0.tgz";
  it.each<[string, string, (registry: Registry) => void]>([
    ["other bytes", "fetch.integrity", (registry) => registry.misbehave(path, { bytes: archive("other") })],
    [
      "a page instead of an archive",
      "fetch.integrity",
      (registry) => registry.misbehave(path, { bytes: Buffer.from("<html>") }),
    ],
    ["nothing", "fetch.integrity", (registry) => registry.misbehave(path, { bytes: Buffer.alloc(0) })],
    ["too many bytes", "fetch.too-large", (registry) => registry.misbehave(path, { endless: true })],
    ["connections that break", "fetch.broken", (registry) => registry.misbehave(path, { cut: true })],
    ["a redirect to itself", "fetch.network", (registry) => registry.misbehave(path, { redirect: path })],
    [
      "a redirect to a file",
      "fetch.network",
      (registry) => registry.misbehave(path, { redirect: "file:///etc/passwd" }),
    ],
    [
      "a redirect to nowhere",
      "fetch.not-found",
      (registry) => registry.misbehave(path, { redirect: "/nowhere" }),
    ],
    ["401", "fetch.unauthorized", (registry) => registry.misbehave(path, { status: 401 })],
    ["403", "fetch.unauthorized", (registry) => registry.misbehave(path, { status: 403 })],
    [
      "404 where the index names the same place",
      "fetch.not-found",
      (registry) => registry.misbehave(path, { status: 404 }),
    ],
    ["500", "fetch.http-status", (registry) => registry.misbehave(path, { status: 500 })],
    [
      "an index that is no JSON",
      "fetch.index-format",
      (registry) => {
        registry.misbehave(path, { status: 404 });
        registry.misbehave("/a", { bytes: Buffer.from("<html>") });
      },
    ],
    [
      "an index without end",
      "fetch.too-large",
      (registry) => {
        registry.misbehave(path, { status: 404 });
        registry.misbehave("/a", { endless: true });
      },
    ],
    [
      "an index that breaks",
      "fetch.broken",
      (registry) => {
        registry.misbehave(path, { status: 404 });
        registry.misbehave("/a", { cut: true });
      },
    ],
    ["silence", "fetch.timeout", (registry) => registry.misbehave(path, { stall: true })],
  ])("%s: %s", async (_, code, arm) => {
    const { registry, cache, options } = await arrange({ timeout: code === "fetch.timeout" ? 300 : 20_000 });
    const a = registry.publish("a", "1.0.0", archive("a"));
    arm(registry);
    await expect(fetchTarballs([a], { ...options, limit: 1_000_000 })).rejects.toMatchObject({ code });
    expect(list(cache)).toEqual([]);
  });

  it("a package that is not there", async () => {
    const { cache, options } = await arrange();
    const missing = { name: "gone", version: "1.0.0", integrity: sri(Buffer.from("x")) };
    await expect(fetchTarballs([missing], options)).rejects.toMatchObject({
      code: "fetch.not-found",
      message: expect.stringContaining("gone@1.0.0"),
    });
    expect(list(cache)).toEqual([]);
  });

  it("too many bytes, and hangs up", async () => {
    const { registry, options } = await arrange({ timeout: 60_000 });
    const a = registry.publish("a", "1.0.0", archive("a"));
    registry.misbehave("/a/-/a-1.0.0.tgz", { endless: true });
    await expect(fetchTarballs([a], { ...options, limit: 1000 })).rejects.toMatchObject({
      code: "fetch.too-large",
    });
    await expect.poll(() => registry.connections(), { timeout: 5000 }).toBe(0);
  });

  it("a registry that is not there", async () => {
    const { registry, options } = await arrange();
    const a = registry.publish("a", "1.0.0", archive("a"));
    await registry.stop();
    await expect(fetchTarballs([a], options)).rejects.toMatchObject({ code: "fetch.network", exit: 3 });
  });

  it("a cache that cannot be written", async () => {
    const { registry, cache, options } = await arrange();
    const a = registry.publish("a", "1.0.0", archive("a"));
    writeFileSync(cache, "a file");
    await expect(fetchTarballs([a], options)).rejects.toMatchObject({ code: "fetch.cache-unusable" });
  });

  it("a lock's URL of another kind", async () => {
    const { registry, options } = await arrange();
    const a = registry.publish("a", "1.0.0", archive("a"));
    await expect(fetchTarballs([{ ...a, resolved: "file:///tmp/a.tgz" }], options)).rejects.toMatchObject({
      code: "fetch.url",
    });
  });

  it("a weak digest, before anything is asked", async () => {
    const { registry, options } = await arrange();
    const a = registry.publish("a", "1.0.0", archive("a"));
    const weak = { ...a, integrity: sri(a.tarball, "sha1") };
    await expect(fetchTarballs([weak], options)).rejects.toMatchObject({ code: "archive.integrity-weak" });
    expect(registry.requests).toEqual([]);
  });

  it("the rest, once one failed or the caller stops", async () => {
    const { registry, options } = await arrange();
    const a = registry.publish("a", "1.0.0", archive("a"));
    registry.misbehave("/a/-/a-1.0.0.tgz", { stall: true });
    const gone = { name: "gone", version: "1.0.0", integrity: sri(Buffer.from("x")) };
    await expect(fetchTarballs([a, gone], options)).rejects.toMatchObject({ code: "fetch.not-found" });
    const signal = AbortSignal.timeout(100);
    await expect(fetchTarballs([a], { ...options, signal })).rejects.toMatchObject({ name: "TimeoutError" });
  });
});

describe("credentials", () => {
  it("go to the registry that they are configured for", async () => {
    const { registry, options } = await arrange();
    const a = registry.publish("a", "1.0.0", archive("a"));
    const npm = { ...options.npm, [`//${new URL(registry.url).host}/:_authToken`]: "s3cret" };
    await fetchTarballs([a], { ...options, npm });
    expect(registry.requests.map(({ authorization }) => authorization)).toEqual(["Bearer s3cret"]);
  });

  it("go nowhere else: not to a URL of the lock, not along a redirect to another host", async () => {
    const { registry, options } = await arrange();
    const other = await Registry.start();
    const otherUrl = other.url.replace("127.0.0.1", "localhost");
    const a = registry.publish("a", "1.0.0", archive("a"));
    const b = registry.publish("b", "1.0.0", archive("b"));
    other.publish("a", "1.0.0", a.tarball);
    other.publish("b", "1.0.0", b.tarball);
    registry.misbehave("/b/-/b-1.0.0.tgz", { redirect: `${otherUrl}/b/-/b-1.0.0.tgz` });
    const npm = { ...options.npm, [`//${new URL(registry.url).host}/:_authToken`]: "s3cret" };
    const named = { ...a, resolved: `${otherUrl}/a/-/a-1.0.0.tgz` };
    await fetchTarballs([named, b], { ...options, npm });
    expect(other.requests.map(({ path, authorization }) => [path, authorization]).sort()).toEqual([
      ["/a/-/a-1.0.0.tgz", undefined],
      ["/b/-/b-1.0.0.tgz", undefined],
    ]);
  });

  it("stay out of messages, also those inside a URL", async () => {
    const { registry, options } = await arrange();
    const a = registry.publish("a", "1.0.0", archive("a"));
    registry.misbehave("/a/-/a-1.0.0.tgz", { status: 500 });
    const resolved = `${registry.url.replace("//", "//user:s3cret@")}/a/-/a-1.0.0.tgz?token=s3cret`;
    const error = await fetchTarballs([{ ...a, resolved }], options).catch((reason: Error) => reason);
    expect(error).toMatchObject({ code: "fetch.http-status" });
    expect(JSON.stringify([String(error), error, (error as Error).cause])).not.toContain("s3cret");
  });
});
