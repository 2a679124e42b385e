import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { toCachePath } from "../../src/fetch/cache-path.ts";
import { fetchAndUnpack } from "../../src/fetch/fetch-and-unpack.ts";
import { Registry } from "../support/registry.ts";
import { file, tgz } from "../support/tarball.ts";
import { tempDir } from "../support/temp-dir.ts";

/** Two packages, the first at two places, in a filled cache; one byte of its archive is flipped afterwards. */
async function arrange() {
  const registry = await Registry.start();
  const root = tempDir();
  const a = registry.publish("a", "1.0.0", tgz(file("package/name", "a")));
  const b = registry.publish("b", "1.0.0", tgz(file("package/name", "b")));
  const places = (run: string) => [
    { ...a, destination: join(root, run, "a") },
    { ...b, destination: join(root, run, "b") },
    { ...a, destination: join(root, run, "b/node_modules/a") },
  ];
  const npm = { registry: registry.url, retry: { retries: 0 }, noProxy: "127.0.0.1" };
  const options = { cache: join(root, "cache"), offline: false, npm };
  await fetchAndUnpack(places("first"), options);
  const cached = toCachePath(options.cache, a.integrity, "a");
  const bytes = readFileSync(cached);
  bytes.writeUInt8(bytes.readUInt8(30) ^ 1, 30);
  writeFileSync(cached, bytes);
  registry.requests.length = 0;
  return { registry, root, places, options, cached, a };
}

describe("fetchAndUnpack", () => {
  it("fetches a cached archive that went bad once more", async () => {
    const { registry, root, places, options, cached, a } = await arrange();
    expect(await fetchAndUnpack(places("second"), options)).toHaveLength(3);
    expect(registry.requests).toHaveLength(1);
    expect(readFileSync(cached).equals(a.tarball)).toBe(true);
    for (const path of ["a", "b", "b/node_modules/a"]) {
      expect(readFileSync(join(root, "second", path, "name"), "utf8")).toBe(path.at(-1));
    }
  });

  it("stops offline, drops it, and says next time that it is missing", async () => {
    const { registry, root, places, options, cached } = await arrange();
    const offline = { ...options, offline: true };
    await expect(fetchAndUnpack(places("second"), offline)).rejects.toMatchObject({
      code: "fetch.cache-corrupt",
    });
    expect(existsSync(cached)).toBe(false);
    expect(existsSync(join(root, "second", "a"))).toBe(false);
    await expect(fetchAndUnpack(places("third"), offline)).rejects.toMatchObject({
      code: "fetch.offline-missing",
    });
    expect(registry.requests).toEqual([]);
  });
});
