/**
 * Writes the committed expected payloads: builds each pack under packs/ for the targets that have a release and writes
 * manifests/<pack>/<target>.json. Exercised or not, committed or not, is no part of an expected payload.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readDefinition } from "../src/definition/read-definition.ts";
import { checkLock } from "../src/lock/check-lock.ts";

const cli = "src/cli/main.ts";
const work = mkdtempSync(join(tmpdir(), "sealpack-manifests-"));
try {
  for (const name of readdirSync("packs").sort()) await writeExpected(join("packs", name));
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function writeExpected(packDir: string): Promise<void> {
  const { definition } = await readDefinition(packDir);
  const { targets } = await checkLock({ packDir, definition });
  for (const { target, problem } of targets) {
    if (problem !== undefined) {
      process.stderr.write(`${definition.name}: ${target}: ${problem.message}\n`);
      continue;
    }
    const out = join(work, definition.name, target);
    const options = ["--out", out, "--target", target, "--allow-dirty", "--no-exercise"];
    execFileSync(process.execPath, [cli, "build", packDir, ...options], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    const expected = execFileSync(process.execPath, [cli, "inspect", out, "--expected"]);
    const file = join("manifests", definition.name, `${target}.json`);
    mkdirSync(join("manifests", definition.name), { recursive: true });
    writeFileSync(file, expected);
    process.stdout.write(`wrote ${file}\n`);
  }
}
