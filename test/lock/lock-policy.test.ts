import { describe, expect, it } from "vitest";
import { defaultRegistry } from "../../src/fetch/tarball-url.ts";
import { assertNoProblem } from "../../src/lock/problem.ts";
import { codesOf, entry, judge, root, type SmallLock } from "./small-lock.ts";

const { host } = new URL(defaultRegistry);
const sha1 = "sha1-Kq5sNclPz7QV2+lfQIuc6R7oRu0=";
const sha512 = entry().integrity as string;
const other512 = entry("2.0.0").integrity as string;

/** A bridge, the CLI that it drives, and the CLI's platform packages, which are aliases of the same name. */
const driven = {
  packageJson: { ...root, dependencies: { bridge: "1.0.0", cli: "2.0.0" } },
  packages: {
    bridge: entry("1.0.0", { dependencies: { cli: ">=1.0.0" } }),
    cli: entry("2.0.0", { optionalDependencies: { "cli-linux": "npm:cli@2.0.0-linux" } }),
    "cli-linux": entry("2.0.0-linux", { name: "cli", optional: true, os: ["linux"] }),
  },
  definition: { bridges: { bridge: { package: "bridge", version: "1.0.0", drives: "cli" } } },
} satisfies SmallLock;

const hole = entry("1.0.0", { optionalDependencies: { "a-linux-arm64": "1.0.0" } });
const scripted = entry("1.0.0", { hasInstallScript: true });
const acknowledged = { package: "a", run: "node i.js", replacedBy: "nothing" as const };

const sound: readonly (readonly [string, SmallLock])[] = [
  ["one package", { packages: { a: entry() } }],
  [
    "an address at npm's default",
    { packages: { a: entry("1.0.0", { resolved: `${defaultRegistry}a/-/a-1.0.0.tgz` }) } },
  ],
  [
    "an address at a declared origin",
    {
      packages: { a: entry("1.0.0", { resolved: "https://mirror.example.test/a.tgz" }) },
      definition: { origins: ["https://mirror.example.test"] },
    },
  ],
  [
    "a bundled package without integrity",
    {
      packages: {
        a: entry("1.0.0", { bundleDependencies: ["b"], dependencies: { b: "1.0.0" } }),
        "a/node_modules/b": { version: "1.0.0", inBundle: true },
      },
    },
  ],
  [
    "an optional peer that nobody has",
    {
      packages: {
        a: entry("1.0.0", { peerDependencies: { p: "1" }, peerDependenciesMeta: { p: { optional: true } } }),
      },
    },
  ],
  [
    "a peer that another package keeps from fitting",
    {
      packageJson: { ...root, dependencies: { a: "^1.0.0", p: "2.0.0" } },
      packages: { a: entry("1.0.0", { peerDependencies: { p: "^1.0.0" } }), p: entry("2.0.0") },
    },
  ],
  [
    "an alias",
    {
      packageJson: { ...root, dependencies: { a: "npm:real@^1.0.0" } },
      packages: { a: entry("1.0.0", { name: "real" }) },
    },
  ],
  [
    "an override that the lock follows",
    {
      packageJson: { ...root, overrides: { b: "2.0.0" } },
      packages: { a: entry("1.0.0", { dependencies: { b: "^1.0.0" } }), b: entry("2.0.0") },
    },
  ],
  [
    "an override by reference",
    {
      packageJson: { ...root, dependencies: { a: "^1.0.0", b: "2.0.0" }, overrides: { a: { b: "$b" } } },
      packages: { a: entry("1.0.0", { dependencies: { b: "^1.0.0" } }), b: entry("2.0.0") },
    },
  ],
  [
    "a development dependency with a script",
    {
      packageJson: { ...root, devDependencies: { d: "1.0.0" } },
      packages: { a: entry(), d: entry("1.0.0", { dev: true, hasInstallScript: true }) },
    },
  ],
  ["an acknowledged script", { packages: { a: scripted }, definition: { installScripts: [acknowledged] } }],
  [
    "a declared hole",
    {
      packages: { a: hole },
      definition: { absent: [{ package: "a-linux-arm64@1.0.0", target: "linux-arm64" }] },
    },
  ],
  ["a bridge and its one CLI", driven],
];

const npmRow = (text: string) => entry("1.0.0", { resolved: text });

const broken: readonly (readonly [string, string, SmallLock])[] = [
  ["sha1 only", "lock.integrity-weak", { packages: { a: { ...entry(), integrity: sha1 } } }],
  [
    "sha256 only",
    "lock.integrity-weak",
    { packages: { a: { ...entry(), integrity: "sha256-LCa0a2j/xo/5m0U8HTBBNBNCLXBkg7+g+YpeiGJm564=" } } },
  ],
  [
    "two algorithms",
    "lock.integrity-ambiguous",
    { packages: { a: { ...entry(), integrity: `${sha1} ${sha512}` } } },
  ],
  [
    "two sha512 that disagree",
    "lock.integrity-ambiguous",
    { packages: { a: { ...entry(), integrity: `${sha512} ${other512}` } } },
  ],
  ["no integrity", "lock.integrity-missing", { packages: { a: { version: "1.0.0" } } }],
  [
    "an empty integrity",
    "lock.integrity-missing",
    { packages: { a: { version: "1.0.0", integrity: "  " } } },
  ],
  [
    "a short sha512",
    "lock.integrity-malformed",
    { packages: { a: { ...entry(), integrity: "sha512-AAAA" } } },
  ],
  [
    "sha512 with options",
    "lock.integrity-malformed",
    { packages: { a: { ...entry(), integrity: `${sha512}?x` } } },
  ],
  [
    "sha512 in another base64",
    "lock.integrity-malformed",
    { packages: { a: { ...entry(), integrity: sha512.replace(/=+$/, "") } } },
  ],
  [
    "git",
    "lock.git-source",
    { packages: { a: npmRow("git+ssh://git@example.test/a.git#0123456789012345678901234567890123456789") } },
  ],
  ["git by shorthand", "lock.git-source", { packages: { a: npmRow("github:owner/a") } }],
  ["a file", "lock.file-source", { packages: { a: npmRow("file:../a.tgz") } }],
  ["a path", "lock.file-source", { packages: { a: npmRow("../a.tgz") } }],
  ["link:", "lock.file-source", { packages: { a: npmRow("link:../a") } }],
  ["a link", "lock.link", { packages: { a: { link: true, resolved: "../a" } } }],
  ["a workspace", "lock.location", { packages: { a: entry(), "./packages/a": entry() } }],
  ["a location that leaves", "lock.location", { packages: { a: entry(), "../b": entry() } }],
  [
    "a location in a package without entry",
    "lock.location",
    { packages: { a: entry(), "x/node_modules/b": entry() } },
  ],
  ["http", "lock.insecure-source", { packages: { a: npmRow(`http://${host}/a.tgz`) } }],
  [
    "a mirror",
    "lock.foreign-origin",
    { packages: { a: npmRow("https://mirror.example.test/a/-/a-1.0.0.tgz") } },
  ],
  ["another port", "lock.foreign-origin", { packages: { a: npmRow(`https://${host}:8443/a.tgz`) } }],
  ["a user in the address", "lock.unknown-source", { packages: { a: npmRow(`https://u:p@${host}/a.tgz`) } }],
  ["another protocol", "lock.unknown-source", { packages: { a: npmRow(`ftp://${host}/a.tgz`) } }],
  [
    "a bundled package at the top",
    "lock.bundle-orphan",
    { packages: { a: { version: "1.0.0", inBundle: true } } },
  ],
  [
    "a bundled package whose parent bundles nothing",
    "lock.bundle-orphan",
    {
      packages: {
        a: entry("1.0.0", { dependencies: { b: "1.0.0" } }),
        "a/node_modules/b": { version: "1.0.0", inBundle: true },
      },
    },
  ],
  [
    "a nested npm-shrinkwrap.json",
    "lock.nested-shrinkwrap",
    { packages: { a: entry("1.0.0", { hasShrinkwrap: true }) } },
  ],
  [
    "a package that npm patches",
    "lock.unsupported-feature",
    { packages: { a: entry("1.0.0", { patched: { path: "x" } }) } },
  ],
  [
    "package.json ahead: one more",
    "lock.root-mismatch",
    {
      packageJson: { ...root, dependencies: { a: "^1.0.0", b: "1.0.0" } },
      lockedJson: root,
      packages: { a: entry() },
    },
  ],
  [
    "package.json ahead: another range",
    "lock.root-mismatch",
    {
      packageJson: { ...root, dependencies: { a: "^1.0.1" } },
      lockedJson: root,
      packages: { a: entry("1.0.2") },
    },
  ],
  [
    "package.json behind",
    "lock.root-mismatch",
    {
      lockedJson: { ...root, optionalDependencies: { b: "1.0.0" } },
      packages: { a: entry(), b: entry() },
    },
  ],
  [
    "package.json renamed",
    "lock.root-mismatch",
    { lockedJson: { ...root, name: "other" }, packages: { a: entry() } },
  ],
  ["an entry too old", "lock.edge-unsatisfied", { packages: { a: entry("0.9.0") } }],
  [
    "a missing dependency",
    "lock.edge-missing",
    { packages: { a: entry("1.0.0", { dependencies: { b: "1.0.0" } }) } },
  ],
  [
    "a missing peer",
    "lock.edge-missing",
    { packages: { a: entry("1.0.0", { peerDependencies: { b: "1.0.0" } }) } },
  ],
  [
    "an override that the lock does not follow",
    "lock.edge-unsatisfied",
    {
      packageJson: { ...root, overrides: { b: "2.0.0" } },
      packages: { a: entry("1.0.0", { dependencies: { b: "^1.0.0" } }), b: entry("1.0.0") },
    },
  ],
  [
    "an override that was taken away",
    "lock.edge-unsatisfied",
    {
      packages: { a: entry("1.0.0", { dependencies: { b: "^1.0.0" } }), b: entry("2.0.0") },
    },
  ],
  [
    "an alias of another package",
    "lock.alias-mismatch",
    {
      packageJson: { ...root, dependencies: { a: "npm:real@^1.0.0" } },
      packages: { a: entry("1.0.0", { name: "evil" }) },
    },
  ],
  [
    "an alias that nobody asked for",
    "lock.alias-mismatch",
    { packages: { a: entry("1.0.0", { name: "evil" }) } },
  ],
  [
    "an alias that lost its real name",
    "lock.alias-mismatch",
    {
      packageJson: { ...root, dependencies: { a: "npm:real@^1.0.0" } },
      packages: { a: entry() },
    },
  ],
  ["an entry that nothing asks for", "lock.unreachable", { packages: { a: entry(), b: entry() } }],
  [
    "two entries that only ask for each other",
    "lock.unreachable",
    {
      packages: {
        a: entry(),
        b: entry("1.0.0", { dependencies: { c: "*" } }),
        c: entry("1.0.0", { dependencies: { b: "*" } }),
      },
    },
  ],
  ["a script that nobody acknowledged", "lock.script-unacknowledged", { packages: { a: scripted } }],
  [
    "a script behind an alias",
    "lock.script-unacknowledged",
    {
      packageJson: { ...root, dependencies: { a: "npm:real@^1.0.0" } },
      packages: { a: entry("1.0.0", { name: "real", hasInstallScript: true }) },
      definition: { installScripts: [acknowledged] },
    },
  ],
  [
    "an acknowledgement of nothing",
    "lock.acknowledgement-unused",
    { packages: { a: entry() }, definition: { installScripts: [acknowledged] } },
  ],
  ["a hole", "lock.hole", { packages: { a: hole } }],
  [
    "a hole of another version",
    "lock.hole",
    {
      packages: { a: hole },
      definition: { absent: [{ package: "a-linux-arm64@1.0.1", target: "linux-arm64" }] },
    },
  ],
  [
    "a row for no hole",
    "lock.absent-stale",
    { packages: { a: entry() }, definition: { absent: [{ package: "x@1.0.0", target: "linux-arm64" }] } },
  ],
  [
    "a bridge that the lock does not hold",
    "lock.bridge-missing",
    { packages: { a: entry() }, definition: { bridges: { b: { package: "b", version: "1.0.0" } } } },
  ],
  [
    "a bridge that is an alias of another package",
    "lock.bridge-missing",
    {
      packageJson: { ...root, dependencies: { a: "npm:real@^1.0.0" } },
      packages: { a: entry("1.0.0", { name: "real" }) },
      definition: { bridges: { a: { package: "a", version: "1.0.0" } } },
    },
  ],
  [
    "a bridge at another version",
    "lock.bridge-version",
    { packages: { a: entry() }, definition: { bridges: { a: { package: "a", version: "1.0.1" } } } },
  ],
  [
    "a bridge whose CLI is missing",
    "lock.driven-missing",
    {
      packages: { a: entry() },
      definition: { bridges: { a: { package: "a", version: "1.0.0", drives: "cli" } } },
    },
  ],
  [
    "a bridge whose CLI is an alias of another package",
    "lock.driven-missing",
    {
      packageJson: { ...root, dependencies: { bridge: "1.0.0", cli: "npm:other@2.0.0" } },
      packages: { bridge: entry(), cli: entry("2.0.0", { name: "other" }) },
      definition: driven.definition,
    },
  ],
  [
    "a private copy of the CLI",
    "lock.second-copy",
    { ...driven, packages: { ...driven.packages, "bridge/node_modules/cli": entry("1.5.0") } },
  ],
  [
    "a copy of the CLI behind an alias",
    "lock.second-copy",
    {
      ...driven,
      packages: {
        ...driven.packages,
        bridge: entry("1.0.0", { dependencies: { cli: ">=1.0.0", harmless: "npm:cli@1.5.0" } }),
        harmless: entry("1.5.0", { name: "cli" }),
      },
    },
  ],
  [
    "a copy that the CLI itself requires",
    "lock.second-copy",
    {
      ...driven,
      packages: {
        ...driven.packages,
        cli: entry("2.0.0", { dependencies: { "cli-linux": "npm:cli@2.0.0-linux" } }),
      },
    },
  ],
  [
    "a platform package that somebody else asks for too",
    "lock.second-copy",
    {
      ...driven,
      packages: {
        ...driven.packages,
        bridge: entry("1.0.0", { dependencies: { cli: ">=1.0.0", "cli-linux": "npm:cli@2.0.0-linux" } }),
      },
    },
  ],
];

describe("lock policy", () => {
  it.each(sound)("accepts %s", async (_name, lock) => {
    expect(await codesOf(lock)).toEqual([]);
  });

  it.each(broken)("refuses %s as %s", async (_name, code, lock) => {
    expect(new Set(await codesOf(lock))).toContain(code);
    const { problems } = await judge(lock);
    expect(() => assertNoProblem(problems)).toThrow(expect.objectContaining({ code: problems[0]?.code }));
  });

  it("finds nothing else in rows about entries", async () => {
    const own = broken.filter(([, code]) =>
      /integrity|source|origin|shrinkwrap|unsupported|link|orphan/.test(code),
    );
    expect(own.length).toBeGreaterThan(20);
    for (const [, code, lock] of own) expect(await codesOf(lock)).toEqual([code]);
  });

  it("names both copies of a driven CLI and who asked, and its platform packages not at all", async () => {
    const nested = { "cli-linux": "npm:cli@1.5.0-linux" };
    const { problems } = await judge({
      ...driven,
      packages: {
        ...driven.packages,
        "bridge/node_modules/cli": entry("1.5.0", { optionalDependencies: nested }),
        "bridge/node_modules/cli-linux": entry("1.5.0-linux", { name: "cli", optional: true }),
      },
    });
    expect(problems).toHaveLength(1);
    const text = JSON.stringify(problems);
    for (const part of [
      "only node_modules/cli (2.0.0)",
      "bridge/node_modules/cli (1.5.0)",
      "node_modules/bridge (asks for cli@>=1.0.0)",
    ]) {
      expect(text).toContain(part);
    }
  });

  it.each<[string, object]>([
    ["contradict a dependency", { a: "2.0.0" }],
    ["refer to none", { b: "$nowhere" }],
  ])("says that overrides %s", async (_name, overrides) => {
    const packages = { a: entry("1.0.0", { dependencies: { b: "^1.0.0" } }), b: entry() };
    const lock = { packageJson: { ...root, overrides }, packages };
    await expect(judge(lock)).rejects.toMatchObject({ code: "lock.override-conflict", exit: 2 });
  });

  it("names the hole and its version", async () => {
    const { problems } = await judge({ packages: { a: hole } });
    expect(problems[0]?.subject).toBe("a-linux-arm64@1.0.0");
  });

  it("shows no password of an address", async () => {
    const { problems } = await judge({
      packages: { a: npmRow(`https://u:secret@${host}/a.tgz`) },
    });
    expect(JSON.stringify(problems)).not.toContain("secret");
  });
});
