import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { PackReport } from "../../src/manifest/verify-pack.ts";
import { verifyPack } from "../../src/manifest/verify-pack.ts";

/** nobody and nogroup of every Linux. */
const nobody = 65534;

/** Verifies a pack as a user whom permission bits bind: as root in a child that owns the pack and is no longer root. */
export async function verifyUnprivileged(root: string): Promise<PackReport> {
  if (process.getuid?.() !== 0) return await verifyPack(root);
  execFileSync("chown", ["-R", `${nobody}:${nobody}`, root]);
  const child = fileURLToPath(import.meta.url);
  return JSON.parse(execFileSync(process.execPath, [child, root], { encoding: "utf8" }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.setgroups?.([]);
  process.setgid?.(nobody);
  process.setuid?.(nobody);
  process.stdout.write(JSON.stringify(await verifyPack(process.argv[2] as string)));
}
