/**
 * Bundles the command line into one file that needs nothing but Node: `dist/sealpack.mjs`, or the path given. The same sources and lock
 * give the same bytes in any folder: names in the output are relative to the checkout.
 */
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { version } = JSON.parse(readFileSync(resolve(root, "package.json"), "utf8")) as { version: string };
const outfile = resolve(process.argv[2] ?? resolve(root, "dist/sealpack.mjs"));

/** Packages in CommonJS call require for Node's own modules, and ask where they are. */
const commonJs = [
  'import { createRequire as sealpackRequire } from "node:module";',
  'import { dirname as sealpackDirname } from "node:path";',
  'import { fileURLToPath as sealpackPath } from "node:url";',
  "const require = sealpackRequire(import.meta.url);",
  "const __filename = sealpackPath(import.meta.url);",
  "const __dirname = sealpackDirname(__filename);",
].join("\n");

await build({
  absWorkingDir: root,
  entryPoints: ["src/cli/main.ts"],
  outfile,
  bundle: true,
  // Has a native part; whoever compiles bridges has it installed beside the tool.
  external: ["esbuild"],
  platform: "node",
  format: "esm",
  target: "node22.22",
  charset: "utf8",
  legalComments: "eof",
  logLevel: "warning",
  define: { SEALPACK_VERSION: JSON.stringify(version) },
  banner: { js: commonJs },
});
