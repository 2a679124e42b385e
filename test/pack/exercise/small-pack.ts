import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * A tree with one sh script per command, as if it were a launcher: what is exercised is the exercising. The folder above
 * it is private, as the builder's own is.
 */
export function makeSmallPack(commands: Readonly<Record<string, string>>): { folder: string; root: string } {
  const folder = mkdtempSync(join(tmpdir(), "sealpack-exercise-test-"));
  const root = join(folder, "pack with space");
  mkdirSync(join(root, "node_modules/.bin"), { recursive: true });
  for (const [name, body] of Object.entries(commands)) {
    writeFileSync(join(root, "node_modules/.bin", name), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  }
  return { folder, root };
}

/** Where no namespace can be made, the exercising user must be able to reach the tree itself. */
export function openToAll(folder: string): void {
  chmodSync(folder, 0o755);
}

/** An ACP agent in sh: `answers` are printed in turn, one per line that it reads. */
export function acpAgent(...answers: readonly string[]): string {
  return answers.map((answer) => `read -r line || exit\nprintf '%s\\n' '${answer}'`).join("\n");
}
