import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { readNpmOptions } from "../../fetch/read-npm-options.ts";
import type { BuildRequest, Locked, Placed } from "../steps.ts";
import { checkPackages } from "./check-packages.ts";
import { placePackages } from "./place-packages.ts";

/** Fetches what the plan pins, unpacks it and compares the tree with the plan. `work` is the build's private folder. */
export async function placeTree(request: BuildRequest, locked: Locked, work: string): Promise<Placed> {
  const { plan, definition } = locked;
  const root = join(work, "assembled");
  await mkdir(root, { mode: 0o755 });
  request.onProgress({ step: "fetch and unpack" });
  const fetch = {
    cache: request.cache,
    offline: request.offline,
    npm: request.offline ? {} : await readNpmOptions(request.packDir),
    ...(request.signal === undefined ? {} : { signal: request.signal }),
    onProgress: ({ done, total }: { done: number; total: number }) =>
      request.onProgress({ step: "fetch and unpack", done, total }),
  };
  await placePackages({ root, scratch: join(work, "unpacked"), plan, fetch });
  await checkPackages(root, plan, definition.installScripts);
  return { ...locked, root };
}
