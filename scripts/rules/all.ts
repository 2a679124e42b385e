import { archiveMutations } from "./archive.ts";
import { definitionMutations } from "./definition.ts";
import { imageMutations } from "./image.ts";
import { lockMutations } from "./lock.ts";
import { manifestMutations } from "./manifest.ts";
import type { Mutation } from "./mutation.ts";
import { packMutations } from "./pack.ts";
import { treeMutations } from "./tree.ts";

/** Every rule that `npm run test:rules` switches off, in the order of the rooms. */
export const allMutations: readonly Mutation[] = [
  ...treeMutations,
  ...manifestMutations,
  ...definitionMutations,
  ...archiveMutations,
  ...lockMutations,
  ...packMutations,
  ...imageMutations,
];
