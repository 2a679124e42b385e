import { listTree } from "../tree/list-tree.ts";
import { packError } from "./errors.ts";
import { exercisePack } from "./exercise/exercise-pack.ts";
import { assertStandaloneInterpreter } from "./host-needs/assert-standalone-interpreter.ts";
import type { Assembled, BuildRequest, Exercised } from "./steps.ts";

/**
 * Moves the tree, so that nothing works only where it was built, and runs every command there (requirements B7, B8).
 * A gate: without it the pack is no release.
 * @throws pack.changed-while-exercised, and what exercisePack throws
 */
export async function exerciseTree(
  request: BuildRequest,
  tree: Assembled,
  relocated: string,
): Promise<Exercised> {
  const { interpreter, commands } = tree.definition;
  if (interpreter !== undefined) await assertStandaloneInterpreter(tree.root, interpreter.path);
  if (!request.exercise) return { ...tree, exercised: false };
  request.onProgress({ step: "exercise" });
  await exercisePack({
    root: tree.root,
    movedTo: relocated,
    target: request.target,
    commands,
    interpreter,
    allowNetwork: request.allowNetwork,
    signal: request.signal,
  });
  const after = await listTree(relocated);
  if (after.digest !== tree.listing.digest) {
    throw packError("pack.changed-while-exercised", {
      subject: "the relocated tree",
      expected: `tree digest ${tree.listing.digest}`,
      got: after.digest,
    });
  }
  return { ...tree, root: relocated, exercised: true };
}
