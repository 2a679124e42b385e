import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readDefinition } from "../../src/definition/read-definition.ts";
import { loadLock } from "../../src/lock/load-lock.ts";
import { refreshLock } from "../../src/lock/refresh-lock.ts";
import { toSha256 } from "../../src/lock/verify-lock-digest.ts";
import { tempDir } from "../support/temp-dir.ts";
import { packumentRegistry } from "./packument-registry.ts";

const yaml = `# A comment that stays.
schema: sealpack/pack/v1
name:   small   # odd spacing stays too
lock: { sha256: "${"0".repeat(64)}", path: package-lock.json }   # not this one
targets: [linux-x64]
commands: {}
absent: []
`;

const packageJson = {
  name: "small",
  version: "1.0.0",
  dependencies: { a: "^1.0.0", cli: "2.0.0" },
  overrides: { a: { cli: "$cli" } },
};

const packages = {
  a: {
    "1.0.0": { dependencies: { cli: "^1.0.0" }, peerDependencies: { p: "^1.0.0" } },
    "1.1.0": {
      dependencies: { cli: "^1.0.0" },
      peerDependencies: { p: "^1.0.0" },
      engines: { node: ">=99" },
    },
  },
  cli: { "1.0.0": {}, "2.0.0": { os: ["linux"], optionalDependencies: { "cli-linux": "2.0.0" } } },
  "cli-linux": { "2.0.0": { os: ["linux"], cpu: ["x64"], libc: ["glibc"] } },
  p: { "1.0.0": {} },
};

function packFolder(manifest: object = packageJson): string {
  const folder = tempDir();
  writeFileSync(join(folder, "pack.yaml"), yaml);
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest, null, 2));
  return folder;
}

const fast = { retry: { retries: 0 } };

describe("refreshLock", () => {
  it("writes the lock and its pin, and nothing else", async () => {
    const { url } = await packumentRegistry(() => packages);
    const folder = packFolder();
    const result = await refreshLock(folder, { ...fast, registry: url });
    const bytes = readFileSync(join(folder, "package-lock.json"));
    expect(result).toMatchObject({ changed: true, problems: [], sha256: toSha256(bytes) });
    expect(readFileSync(join(folder, "pack.yaml"), "utf8")).toBe(yaml.replace("0".repeat(64), result.sha256));
    expect(readdirSync(folder).sort()).toEqual(["pack.yaml", "package-lock.json", "package.json"]);
    const lock = JSON.parse(bytes.toString());
    expect(Object.keys(lock.packages)).toEqual([
      "",
      "node_modules/a",
      "node_modules/cli",
      "node_modules/cli-linux",
      "node_modules/p",
    ]);
    expect(lock.packages["node_modules/a"].resolved).toBeUndefined();
    expect(lock.packages["node_modules/cli"].version).toBe("2.0.0");
    const { definition } = await readDefinition(folder);
    await expect(loadLock({ packDir: folder, definition })).resolves.toMatchObject({ sha256: result.sha256 });
  });

  it("changes nothing when there is nothing to change, and starts from nothing each time", async () => {
    const { url, requests } = await packumentRegistry(() => packages);
    const folder = packFolder();
    await refreshLock(folder, { ...fast, registry: url });
    expect(requests.filter((name) => name === "cli")).toHaveLength(2);
    await expect(refreshLock(folder, { ...fast, registry: url })).resolves.toMatchObject({ changed: false });
    expect(requests.filter((name) => name === "cli")).toHaveLength(4);
  });

  it("gives the same bytes under any npm configuration", async () => {
    const { url } = await packumentRegistry(() => packages);
    const [plain, odd] = [packFolder(), packFolder()];
    const configuration = {
      legacyPeerDeps: true,
      omitLockfileRegistryResolved: false,
      lockfileVersion: 1,
      installStrategy: "nested",
      preferDedupe: true,
      nodeVersion: "99.0.0",
      before: new Date(0),
      defaultTag: "next",
      omit: ["optional", "peer"],
      force: true,
      os: "win32",
      cpu: "arm64",
      formatPackageLock: false,
      packageLock: false,
    };
    const first = await refreshLock(plain, { ...fast, registry: url });
    const second = await refreshLock(odd, { ...configuration, ...fast, registry: url });
    expect(second.sha256).toBe(first.sha256);
  });

  it("fails when the second resolution differs, and leaves both files alone", async () => {
    const { url } = await packumentRegistry((request) =>
      request === 1
        ? packages
        : { ...packages, p: { "1.0.0": {}, "1.0.1": {} }, a: { ...packages.a, "1.2.0": {} } },
    );
    const folder = packFolder();
    await expect(refreshLock(folder, { ...fast, registry: url })).rejects.toMatchObject({
      code: "lock.resolution-unstable",
    });
    expect(readdirSync(folder).sort()).toEqual(["pack.yaml", "package.json"]);
    expect(readFileSync(join(folder, "pack.yaml"), "utf8")).toBe(yaml);
  });

  it("reports a hole that npm left in silence", async () => {
    const { "cli-linux": _, ...rest } = packages;
    const { url } = await packumentRegistry(() => rest);
    const { problems } = await refreshLock(packFolder(), { ...fast, registry: url });
    expect(problems).toEqual([expect.objectContaining({ code: "lock.hole", subject: "cli-linux@2.0.0" })]);
  });

  it.each([
    [
      "a version that does not exist",
      "ETARGET",
      { ...packageJson, dependencies: { a: "^9.0.0" }, overrides: {} },
    ],
    [
      "a git dependency, which would be cloned",
      "EALLOWGIT",
      { ...packageJson, dependencies: { a: "git+https://127.0.0.1:1/a.git" }, overrides: {} },
    ],
    ["a folder", "EALLOWDIRECTORY", { ...packageJson, dependencies: { a: "file:../a" }, overrides: {} }],
    [
      "a tarball by address",
      "EALLOWREMOTE",
      { ...packageJson, dependencies: { a: "https://127.0.0.1:1/a.tgz" }, overrides: {} },
    ],
  ])("refuses %s: %s", async (_name, reason, manifest) => {
    const { url } = await packumentRegistry(() => packages);
    await expect(refreshLock(packFolder(manifest), { ...fast, registry: url })).rejects.toMatchObject({
      code: "lock.resolution-failed",
      message: expect.stringContaining(reason),
    });
  });

  it("refuses a folder without package.json, and a definition with a mistake", async () => {
    await expect(refreshLock(tempDir(), {})).rejects.toMatchObject({ code: "lock.unreadable" });
    const folder = packFolder();
    writeFileSync(join(folder, "pack.yaml"), yaml.replace("targets:", "target:"));
    await expect(refreshLock(folder, {})).rejects.toMatchObject({ code: "definition.unknown-key" });
  });
});
