import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A directory of the running test's own, gone when the test is. Its real path, so that it compares with resolved ones. */
export function tempDir(): string {
  const path = mkdtempSync(join(realpathSync(tmpdir()), "sealpack-test-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
