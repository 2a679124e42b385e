import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Enclosure } from "./enclosure.ts";

/** Where one command runs: paths as it sees them. */
export interface Place {
  readonly stage: string;
  readonly nonce: string;
  readonly home: string;
  readonly pack: string;
  /** Removes what a direct enclosure leaves on this machine. */
  remove(): void;
}

export function makePlace(enclosure: Enclosure, root: string): Place {
  const nonce = `exercise-${randomBytes(8).toString("hex")}`;
  if (enclosure.kind !== "direct") {
    const stage = enclosure.stage;
    return { stage, nonce, home: join(stage, nonce), pack: join(stage, "pack"), remove: () => {} };
  }
  const stage = mkdtempSync(join(enclosure.stage, "sealpack-exercise-"));
  chmodSync(stage, 0o755);
  const remove = (): void => rmSync(stage, { recursive: true, force: true });
  return { stage, nonce, home: join(stage, nonce), pack: root, remove };
}

/** An isolated home, and PATH with the traps first. */
export function toHomeVariables({ stage, home, pack }: Place): string[] {
  const path = [join(stage, "trap"), join(pack, "node_modules/.bin"), "/usr/bin", "/bin"].join(":");
  const xdg = ["cache", "config", "data", "state"].map(
    (name) => `XDG_${name.toUpperCase()}_HOME=${join(home, name)}`,
  );
  return [
    `PATH=${path}`,
    `HOME=${join(home, "home")}`,
    `TMPDIR=${join(home, "tmp")}`,
    `XDG_RUNTIME_DIR=${join(home, "run")}`,
    ...xdg,
  ];
}
