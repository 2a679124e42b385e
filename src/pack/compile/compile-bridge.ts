import { createHash } from "node:crypto";
import { mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BuildOptions } from "esbuild";
import { comparePaths } from "../../tree/path-order.ts";
import { type BundledPackage, readBundledPackages } from "./bundled-packages.ts";
import { compileError } from "./errors.ts";
import { printLicences } from "./print-licences.ts";

export interface CompileOptions {
  /** The root of the sources, sealpack's own by default; no input may come from elsewhere but `nodeModules`. */
  readonly sources?: string;
  /** The bridge's name: its program is `bridges/<name>/main.ts` below `sources`. */
  readonly program: string;
  /** The pack's placed `node_modules`: where every package comes from. */
  readonly nodeModules: string;
  /** Lock location to SRI, as the pack's lock has it. */
  readonly integrities: Readonly<Record<string, string>>;
  /** The bridge's own version, a pin of its own (B3). */
  readonly version: string;
  /** Facts of the build that the program reports as its `__SEALPACK_BUILD__`. */
  readonly build?: Readonly<Record<string, string>>;
  /** Lines before everything else; a first line `#!…` among them. */
  readonly head?: string;
}

export interface CompiledBridge {
  readonly bytes: Buffer;
  /** SHA-256 of `bytes`, 64 hex. */
  readonly sha256: string;
  /** `graph:sha256:<64 hex>`: over the bundler's name and version, then what went in, one line `location name@version integrity` each. */
  readonly builtFrom: string;
  readonly packages: readonly BundledPackage[];
}

/** Beside the folder that this file is in, whether it runs from its source or built: both lie equally deep. */
const ownSources = join(import.meta.dirname, "../../../src");

/**
 * One bridge as one CommonJS file: the same bytes from the same sources and packages, wherever they lie, on any day
 * (B10). Only what went in counts for `builtFrom`, so another CLI in the same lock changes nothing (B3).
 * @throws `pack.bridge-no-bundler`, `.bridge-not-compiled`, `.bridge-input-outside`
 */
export async function compileBridge(options: CompileOptions): Promise<CompiledBridge> {
  const stage = realpathSync(mkdtempSync(join(tmpdir(), "sealpack-bridge-")));
  try {
    symlinkSync(realpathSync(options.sources ?? ownSources), join(stage, "src"));
    symlinkSync(realpathSync(options.nodeModules), join(stage, "node_modules"));
    const { code, inputs, bundler } = await bundle(options, stage);
    assertInside(options, inputs);
    const packages = readBundledPackages(stage, inputs, options.integrities);
    const bytes = Buffer.from((options.head ?? "") + code + printLicences(packages));
    const lines = [
      `${bundler}\n`,
      ...packages.map(
        ({ location, name, version, integrity }) => `${location} ${name}@${version} ${integrity}\n`,
      ),
    ];
    return { bytes, sha256: sha256(bytes), builtFrom: `graph:sha256:${sha256(lines.join(""))}`, packages };
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/**
 * Sources and packages are linked into a folder of fixed shape and links are kept as they are, so that every path that
 * the bundler sees, prints or follows is relative to it. Its configuration files are never read.
 */
async function bundle(
  { program, version, build }: CompileOptions,
  stage: string,
): Promise<{ readonly code: string; readonly inputs: readonly string[]; readonly bundler: string }> {
  const esbuild = await import("esbuild").catch((cause: unknown) => {
    const facts = { subject: "esbuild", expected: "an installed bundler", got: "none", cause };
    throw compileError("pack.bridge-no-bundler", facts);
  });
  const constants = { __SEALPACK_BRIDGE_VERSION__: version, ...(build && { __SEALPACK_BUILD__: build }) };
  const settings = {
    absWorkingDir: stage,
    entryPoints: [`src/bridges/${program}/main.ts`],
    bundle: true,
    write: false,
    metafile: true,
    format: "cjs",
    platform: "node",
    target: "node22",
    charset: "utf8",
    legalComments: "none",
    logLevel: "silent",
    preserveSymlinks: true,
    sourcemap: false,
    tsconfigRaw: "{}",
    treeShaking: true,
    define: {
      ...Object.fromEntries(Object.entries(constants).map(([name, value]) => [name, JSON.stringify(value)])),
      "import.meta.url": "__sealpackUrl",
    },
    banner: { js: 'const __sealpackUrl = require("node:url").pathToFileURL(__filename).href;' },
  } satisfies BuildOptions;
  try {
    const result = await esbuild.build(settings);
    return {
      bundler: `esbuild ${esbuild.version}`,
      code: result.outputFiles[0]?.text ?? "",
      inputs: Object.keys(result.metafile.inputs).sort(comparePaths),
    };
  } catch (cause) {
    const got = (cause as Error).message.replaceAll(stage, "").slice(0, 1000);
    throw compileError("pack.bridge-not-compiled", {
      subject: program,
      expected: "sources that bundle",
      got,
      cause,
    });
  }
}

function assertInside({ program }: CompileOptions, inputs: readonly string[]): void {
  for (const input of inputs) {
    // The bundler shows a constant of several values as an input.
    if (/^(src|node_modules)\/|^<define:/.test(input)) continue;
    throw compileError("pack.bridge-input-outside", {
      subject: program,
      expected: "inputs from the bridges' sources and the pack's packages",
      got: input,
    });
  }
}

function sha256(bytes: Buffer | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}
