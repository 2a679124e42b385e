import { createHash } from "node:crypto";
import { lstat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { applyPatch, parsePatch, type StructuredPatch } from "diff";
import type { PatchDefinition } from "../../definition/pack-definition.ts";
import { isPackPath } from "../../definition/pack-path.ts";
import { packError } from "../errors.ts";
import { readBoundedFile } from "../read-bounded-file.ts";

const maxPatchBytes = 1024 * 1024;
const maxFileBytes = 16 * 1024 * 1024;

/**
 * Applies the declared patches to their components, exactly (no fuzz), after the tree was compared with the lock
 * (requirement B3).
 * @throws pack.patch-digest, pack.patch-failed
 */
export async function applyPatches(
  root: string,
  packDir: string,
  patches: readonly PatchDefinition[],
): Promise<void> {
  for (const patch of patches) {
    const text = await readPatch(packDir, patch);
    const files = parseUnified(text, patch.file);
    for (const file of files) await patchFile(join(root, patch.component), file, patch.file);
  }
}

async function readPatch(packDir: string, patch: PatchDefinition): Promise<string> {
  const bytes = await readBoundedFile(join(packDir, patch.file), maxPatchBytes).catch((cause) => {
    throw failed(patch.file, "a readable patch file", cause);
  });
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  if (sha256 === patch.sha256) return bytes.toString("utf8");
  throw packError("pack.patch-digest", {
    subject: patch.file,
    expected: `SHA-256 ${patch.sha256}`,
    got: sha256,
  });
}

function parseUnified(text: string, file: string): StructuredPatch[] {
  try {
    return parsePatch(text);
  } catch (cause) {
    throw failed(file, "a unified diff", cause);
  }
}

/** Changes existing files only: `a/` and `b/` before the names, as git writes them, are dropped. */
async function patchFile(component: string, patch: StructuredPatch, patchName: string): Promise<void> {
  const name = (patch.newFileName ?? "").replace(/^b\//, "");
  const subject = `${patchName}: ${name}`;
  if (patch.hunks.length === 0) throw failed(subject, "a change", undefined);
  if (!isPackPath(name) || name.split("/").includes("node_modules")) {
    throw failed(subject, "a path inside its component", undefined);
  }
  const path = join(component, name);
  const before = await readBoundedFile(path, maxFileBytes).catch((cause) => {
    throw failed(subject, "an existing file", cause);
  });
  const after = applyPatch(before.toString("utf8"), patch, { fuzzFactor: 0, autoConvertLineEndings: false });
  if (after === false) throw failed(subject, "hunks that apply exactly", undefined);
  await writeFile(path, after, { mode: (await lstat(path)).mode & 0o777 });
}

function failed(subject: string, expected: string, cause: unknown) {
  const got = cause instanceof Error ? cause.message : "something else";
  return packError("pack.patch-failed", { subject, expected, got, cause });
}
