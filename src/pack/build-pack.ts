import { chmod, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { assembleTree } from "./assemble/assemble-tree.ts";
import { placeTree } from "./assemble/place-tree.ts";
import { declarePack } from "./declare-pack.ts";
import { exerciseTree } from "./exercise-tree.ts";
import { lockPack } from "./lock-pack.ts";
import { assertReplaceable } from "./output/assert-replaceable.ts";
import { assertSafeOutput } from "./output/assert-safe-output.ts";
import { siblingPath } from "./output/output-names.ts";
import { repairOutput, swapOutput } from "./output/swap-output.ts";
import { processToken } from "./process-token.ts";
import { sealTree } from "./seal/seal-tree.ts";
import { readTopLevel } from "./source/read-source.ts";
import type { BuildRequest, Sealed } from "./steps.ts";
import { toPackFailure } from "./to-pack-failure.ts";

export interface BuildResult extends Sealed {
  readonly out: string;
  /** True where an earlier, interrupted build's old pack was put back first. */
  readonly repaired: boolean;
}

/**
 * Builds a pack: declared → locked → placed → assembled → exercised → sealed (design 5), then puts it in place of `out`.
 * A failure at any step leaves the previous output as it was (requirement B11).
 * @throws SealpackError of every room that takes part
 */
export async function buildPack(request: BuildRequest): Promise<BuildResult> {
  const out = await assertSafeOutput(request.out, {
    packDir: request.packDir,
    cwd: request.cwd,
    home: request.home,
    repository: await readTopLevel(request.packDir),
  });
  const declared = await declarePack(request);
  const locked = await lockPack(request, declared);
  try {
    const repaired = await repairOutput(out);
    await assertReplaceable(out);
    const work = siblingPath(out, "tmp", processToken());
    return await withWorkspace(work, async () => {
      const placed = await placeTree(request, locked, work);
      const assembled = await assembleTree(request, placed);
      const exercised = await exerciseTree(request, assembled, join(work, "relocated"));
      const sealed = await sealTree(request, exercised);
      await swapOutput(sealed.root, out);
      return { ...sealed, root: out, out, repaired };
    });
  } catch (error) {
    throw toPackFailure(error, out);
  }
}

/** A private folder beside the output, on its file system, gone when the build ends. */
async function withWorkspace<T>(work: string, body: () => Promise<T>): Promise<T> {
  await mkdir(work, { mode: 0o700 });
  try {
    // Searchable, not readable: where no namespace can be made (a Docker build), the exercising user reaches the tree by its path.
    await chmod(work, 0o711);
    return await body();
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
