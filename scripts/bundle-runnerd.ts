/**
 * Makes `paperclip-runnerd` as one file that starts itself: bundle-runnerd.ts <out> [<40 hex source revision>]. Its packages are
 * those of this checkout's lock. Without a revision, the commit that is checked out.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { compileBridge } from "../src/pack/compile/compile-bridge.ts";

const root = resolve(import.meta.dirname, "..");
const [out = `${root}/out/paperclip-runnerd`, given] = process.argv.slice(2);
const revision =
  given ??
  execFileSync(
    "git",
    ["-c", "safe.directory=*", "-c", "core.fsmonitor=false", "-C", root, "rev-parse", "HEAD"],
    { encoding: "utf8" },
  ).trim();
if (!/^[0-9a-f]{40}$/.test(revision)) throw new TypeError(`not a full source revision: ${revision}`);

const readJson = (path: string) => JSON.parse(readFileSync(`${root}/${path}`, "utf8"));
const { name, version } = readJson("package.json");
const locked = Object.entries(
  readJson("package-lock.json").packages as Record<string, { integrity?: string }>,
);

/** A shell script to the kernel, a string and a comment to Node: the pack's own interpreter runs it, or the one on PATH. */
const head = `#!/bin/sh
':' //; n=/opt/paperclip-runner/provider-pack/node_modules/node/bin/node; [ -x "$n" ] || n=node; exec "$n" "$0" "$@"
`;
const { bytes, sha256, builtFrom } = await compileBridge({
  program: "runnerd",
  nodeModules: `${root}/node_modules`,
  integrities: Object.fromEntries(locked.map(([location, { integrity = "" }]) => [location, integrity])),
  version,
  build: { packageName: name, packageVersion: version, sourceRevision: revision },
  head,
});
mkdirSync(dirname(resolve(out)), { recursive: true });
writeFileSync(out, bytes);
chmodSync(out, 0o755);
process.stdout.write(`${JSON.stringify({ out, sha256, builtFrom })}\n`);
