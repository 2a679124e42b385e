/** Builds dist/ for publishing, from nothing, so that a file whose source is gone cannot be published. */
import { execFileSync } from "node:child_process";
import { chmodSync, rmSync } from "node:fs";

rmSync("dist", { recursive: true, force: true });
execFileSync("node_modules/.bin/tsc", ["-p", "tsconfig.build.json"], { stdio: "inherit" });
chmodSync("dist/cli/main.js", 0o755);
// The tool as one file, for `sealpack fetch`: an image's build has no node_modules.
execFileSync(process.execPath, ["scripts/bundle.ts", "dist/sealpack.mjs"], { stdio: "inherit" });
