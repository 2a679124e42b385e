import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { PackDefinition } from "../../src/definition/pack-definition.ts";
import { readDefinition } from "../../src/definition/read-definition.ts";
import { type TargetId, toTarget } from "../../src/definition/target.ts";
import { checkLock } from "../../src/lock/check-lock.ts";
import { judgeLock, loadLock } from "../../src/lock/load-lock.ts";
import { planTarget } from "../../src/lock/plan-target.ts";
import { tempDir } from "../support/temp-dir.ts";
import { entry, judge, root, type SmallLock, smallDefinition } from "./small-lock.ts";

async function plan(lock: SmallLock, target: TargetId = "linux-x64") {
  const { loaded, problems, definition } = await judge(lock);
  expect(problems).toEqual([]);
  return planTarget(loaded, definition, toTarget(target));
}

async function locations(lock: SmallLock, target: TargetId = "linux-x64"): Promise<string[]> {
  return (await plan(lock, target)).packages.map(({ location }) => location.replaceAll("node_modules/", ""));
}

const arm = { optional: true, os: ["linux"], cpu: ["arm64"] };
const x64 = { optional: true, os: ["linux"], cpu: ["x64"] };

describe("planTarget", () => {
  it("takes what package.json reaches, sorted by bytes, and no development dependency", async () => {
    const lock = {
      packageJson: { ...root, devDependencies: { d: "1.0.0" } },
      packages: {
        a: entry("1.0.0", { dependencies: { "@s/c": "*", B: "*" } }),
        "@s/c": entry(),
        B: entry(),
        d: entry("1.0.0", { dev: true }),
      },
    };
    expect(await locations(lock)).toEqual(["@s/c", "B", "a"]);
  });

  it("leaves out an optional package that does not fit, and what only it needs", async () => {
    const packages = {
      a: entry("1.0.0", { optionalDependencies: { "a-arm": "1.0.0", "a-x64": "1.0.0" } }),
      "a-arm": entry("1.0.0", { ...arm, dependencies: { only: "*", both: "*" } }),
      "a-x64": entry("1.0.0", { ...x64, dependencies: { both: "*" } }),
      only: entry(),
      both: entry(),
    };
    expect(await locations({ packages })).toEqual(["a", "a-x64", "both"]);
    expect(await locations({ packages }, "linux-arm64")).toEqual(["a", "a-arm", "both", "only"]);
  });

  it("leaves out an optional package whose own requirement does not fit", async () => {
    const packages = {
      a: entry("1.0.0", { optionalDependencies: { b: "1.0.0" } }),
      b: entry("1.0.0", { dependencies: { c: "*" } }),
      c: entry("1.0.0", { dependencies: { d: "*", b: "*" } }),
      d: entry("1.0.0", arm),
    };
    expect(await locations({ packages })).toEqual(["a"]);
    expect(await locations({ packages }, "linux-arm64")).toEqual(["a", "b", "c", "d"]);
  });

  it("plans the same whatever machine plans it", async () => {
    const packages = {
      a: entry("1.0.0", { optionalDependencies: { m: "1.0.0", g: "1.0.0" } }),
      m: entry("1.0.0", { optional: true, libc: ["musl"] }),
      g: entry("1.0.0", { optional: true, libc: ["glibc"] }),
    };
    const definition = { targets: ["linux-x64", "linux-x64-musl", "darwin-arm64"] as const };
    expect(await locations({ packages, definition }, "linux-x64")).toEqual(["a", "g"]);
    expect(await locations({ packages, definition }, "linux-x64-musl")).toEqual(["a", "m"]);
    expect(await locations({ packages, definition }, "darwin-arm64")).toEqual(["a"]);
  });

  it("gives the real name of an alias, and no integrity to a bundled package, which fits wherever its parent does", async () => {
    const { packages } = await plan({
      packageJson: { ...root, dependencies: { a: "npm:real@1.0.0" } },
      packages: {
        a: entry("1.0.0", { name: "real", bundleDependencies: ["b"], dependencies: { b: "*" } }),
        "a/node_modules/b": { version: "1.0.0", inBundle: true, os: ["win32"] },
        "a/node_modules/b/node_modules/c": { version: "1.0.0", inBundle: true },
      },
    });
    expect(
      packages.map(({ name, bundledIn, integrity }) => [name, bundledIn, integrity.slice(0, 6)]),
    ).toEqual([
      ["real", undefined, "sha512"],
      ["b", "node_modules/a", ""],
      ["c", "node_modules/a", ""],
    ]);
  });

  it("notes a hole of another target and refuses one of its own, by name and version", async () => {
    const lock = {
      packages: { a: entry("1.0.0", { optionalDependencies: { "a-arm": "1.0.0" } }) },
      definition: { absent: [{ package: "a-arm@1.0.0", target: "linux-arm64" }] },
    };
    expect((await plan(lock)).notes).toEqual([expect.stringContaining("a-arm@1.0.0")]);
    await expect(plan(lock, "linux-arm64")).rejects.toMatchObject({
      code: "lock.absent-for-target",
      message: expect.stringContaining("a-arm@1.0.0"),
    });
  });

  it("refuses a required package that does not fit, with the way to it", async () => {
    const packages = {
      a: entry("1.0.0", { dependencies: { b: "*" } }),
      b: entry("1.0.0", { os: ["win32"] }),
    };
    await expect(plan({ packages })).rejects.toMatchObject({
      code: "lock.platform-required",
      message: expect.stringContaining("package.json → node_modules/a → node_modules/b"),
    });
  });

  it("refuses a target that the pack does not declare", async () => {
    await expect(plan({ packages: { a: entry() } }, "darwin-x64")).rejects.toMatchObject({
      code: "lock.undeclared-target",
    });
  });

  const command = (path: string): Partial<PackDefinition> => ({
    commands: {
      tool: { kind: "entry", entry: path, version: "1", versionArgs: ["--version"], acp: false, env: {} },
    },
  });

  it("refuses a file that lies in no package of the target", async () => {
    const packages = { a: entry("1.0.0", { optionalDependencies: { b: "1.0.0" } }), b: entry("1.0.0", arm) };
    const lock = { packages, definition: command("node_modules/b/cli.js") };
    await expect(plan(lock)).rejects.toMatchObject({ code: "lock.file-unowned" });
    expect(await locations(lock, "linux-arm64")).toEqual(["a", "b"]);
  });

  it("follows a placement to the package that brings the file", async () => {
    const place = [{ from: "node_modules/a-{target}/x", to: "node_modules/tool/x" }];
    const packages = {
      a: entry("1.0.0", { optionalDependencies: { "a-linux-x64": "1.0.0" } }),
      "a-linux-x64": entry("1.0.0", x64),
    };
    const definition = { ...command("node_modules/tool/x"), place };
    expect(await locations({ packages, definition })).toEqual(["a", "a-linux-x64"]);
    await expect(plan({ packages, definition }, "linux-arm64")).rejects.toMatchObject({
      code: "lock.file-unowned",
    });
  });

  it("refuses a command that two packages claim, unless the definition names a file of one", async () => {
    const packages = {
      a: entry("1.0.0", { bin: { tool: "cli.js" }, dependencies: { b: "*", c: "*" } }),
      b: entry("1.0.0", { bin: { tool: "cli.js" } }),
      c: entry(),
    };
    await expect(plan({ packages, definition: command("node_modules/c/x") })).rejects.toMatchObject({
      code: "lock.command-claimed-twice",
    });
    expect(await locations({ packages, definition: command("node_modules/b/cli.js") })).toEqual([
      "a",
      "b",
      "c",
    ]);
  });
});

describe("one graph locked by two versions of npm", () => {
  async function planFixture(name: string) {
    const read = (file: string) => readFileSync(`test/lock/fixtures/one-graph/${file}`);
    const files = {
      file: name,
      bytes: read(`${name}.lock.json`),
      sha256: "",
      packageJson: read("package.json"),
    };
    const definition = smallDefinition();
    const { loaded, problems } = await judgeLock(files, definition, "package.json");
    expect(problems).toEqual([]);
    return planTarget(loaded, definition, toTarget("linux-x64")).packages;
  }

  it("npm 11 writes libc, so the target gets one variant; bundled packages come with their parent", async () => {
    const packages = await planFixture("npm-11");
    const schema = "node_modules/@aws-cdk/cloud-assembly-schema";
    expect(packages.map(({ location }) => location)).toEqual([
      schema,
      `${schema}/node_modules/jsonschema`,
      `${schema}/node_modules/semver`,
      "node_modules/detect-libc",
      "node_modules/lightningcss",
      "node_modules/lightningcss-linux-x64-gnu",
      "node_modules/ws",
    ]);
    expect(packages[1]).toMatchObject({ bundledIn: schema, integrity: "" });
  });

  it("npm 10 leaves libc out, so the plan is what its lock says: both variants", async () => {
    const packages = await planFixture("npm-10");
    expect(packages.map(({ location }) => location).filter((location) => location.includes("linux"))).toEqual(
      ["node_modules/lightningcss-linux-x64-gnu", "node_modules/lightningcss-linux-x64-musl"],
    );
  });
});

describe("the default pack", () => {
  it("passes its own policy; linux-x64 has 156 packages, and OpenCode has no release for linux-arm64", async () => {
    const packDir = "packs/paperclip-runner";
    const { definition } = await readDefinition(packDir);
    const report = await checkLock({ packDir, definition });
    expect(report.problems).toEqual([]);
    const [x64Verdict, armVerdict] = report.targets;
    expect(x64Verdict).toMatchObject({ target: "linux-x64", packages: 156 });
    expect(armVerdict?.problem).toMatchObject({
      code: "lock.absent-for-target",
      message: expect.stringContaining("opencode-linux-arm64@1.18.32"),
    });
  });

  it("stops at another digest before it parses anything, and says when a file is missing", async () => {
    const packDir = "packs/paperclip-runner";
    const { definition } = await readDefinition(packDir);
    const lock = { file: "test/lock/fixtures/one-graph/npm-11.lock.json", sha256: definition.lock.sha256 };
    await expect(loadLock({ packDir, definition, lock })).rejects.toMatchObject({
      code: "lock.digest-mismatch",
    });
    await expect(loadLock({ packDir: "test", definition })).rejects.toMatchObject({
      code: "lock.unreadable",
    });
  });

  it("refuses a lock beyond its bound by its size, before it is hashed", async () => {
    const folder = tempDir();
    writeFileSync(join(folder, "package-lock.json"), "");
    truncateSync(join(folder, "package-lock.json"), 2 ** 40);
    await expect(loadLock({ packDir: folder, definition: smallDefinition() })).rejects.toMatchObject({
      code: "lock.too-large",
    });
  });
});
