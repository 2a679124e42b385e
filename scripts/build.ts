/** Builds dist/ for publishing, from nothing, so that a file whose source is gone cannot be published. */
import { execFileSync } from "node:child_process";
import { chmodSync, rmSync } from "node:fs";

rmSync("dist", { recursive: true, force: true });
execFileSync("node_modules/.bin/tsc", ["-p", "tsconfig.build.json"], { stdio: "inherit" });
chmodSync("dist/cli/main.js", 0o755);
