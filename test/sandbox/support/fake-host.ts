import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FakeHost } from "./fakes.ts";

/** A home with a noisy login profile, which `bash -l` reads. */
export function createFakeHost(): FakeHost & { remove(): void } {
  const home = mkdtempSync(join(tmpdir(), "sealpack-fake-host-"));
  writeFileSync(join(home, ".bash_profile"), "echo banner; echo profile noise >&2\n");
  const remove = () => rmSync(home, { recursive: true, force: true });
  return { home, path: "/usr/local/bin:/usr/bin:/bin", remove };
}
