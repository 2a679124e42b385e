import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { siblingPath } from "../../src/pack/output/output-names.ts";
import { workspaceMarker } from "../../src/pack/output/workspace.ts";
import { type ProcessToken, processToken } from "../../src/pack/process-token.ts";
import { printListing } from "../../src/tree/print-listing.ts";

/** This process's token with a pid that no process has: pids end below it. `change` names other fields, by place. */
export function deadToken(change: Readonly<Record<number, string>> = {}): ProcessToken {
  const fields = processToken().split("-");
  return Object.values({ ...fields, 0: "999999999", ...change }).join("-") as ProcessToken;
}

/** What a build that is at work has beside its output. */
export function writeWorkspace(out: string, token: ProcessToken): string {
  const work = siblingPath(out, "tmp", token);
  mkdirSync(join(work, "assembled"), { recursive: true });
  writeFileSync(join(work, "assembled/file"), "");
  writeFileSync(join(work, workspaceMarker), `${token}\n${out}\n`);
  return work;
}

/** The old pack of a build that was killed between its renames: as little of one as the swap looks at. */
export function writeInterrupted(out: string): string {
  const old = siblingPath(out, "old", deadToken());
  mkdirSync(old);
  writeFileSync(join(old, "sealpack.json"), "{}");
  writeFileSync(join(old, "sealpack.tree"), printListing([]));
  return old;
}
