import { join } from "node:path";
import { assembleTree } from "./assemble/assemble-tree.ts";
import { placeTree } from "./assemble/place-tree.ts";
import { declarePack } from "./declare-pack.ts";
import { exerciseTree } from "./exercise-tree.ts";
import { lockPack } from "./lock-pack.ts";
import { assertSafeOutput } from "./output/assert-safe-output.ts";
import { repairOutput, swapOutput } from "./output/swap-output.ts";
import { withWorkspace } from "./output/workspace.ts";
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
    home: request.home ?? "/",
    repository: await readTopLevel(request.packDir),
  });
  const declared = await declarePack(request);
  const locked = await lockPack(request, declared);
  try {
    const repaired = await repairOutput(out, request.signal);
    return await withWorkspace(out, async (work) => {
      const placed = await placeTree(request, locked, work);
      request.signal?.throwIfAborted();
      const assembled = await assembleTree(request, placed);
      request.signal?.throwIfAborted();
      const exercised = await exerciseTree(request, assembled, join(work, "relocated"));
      request.signal?.throwIfAborted();
      const sealed = await sealTree(request, exercised);
      await swapOutput(sealed.root, out, request.signal);
      return { ...sealed, root: out, out, repaired };
    });
  } catch (error) {
    throw toPackFailure(error, out);
  }
}
