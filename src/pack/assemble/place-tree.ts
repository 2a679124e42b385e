import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fetchTarballs } from "../../fetch/fetch-tarballs.ts";
import { readNpmOptions } from "../../fetch/read-npm-options.ts";
import type { BuildRequest, Locked, Placed } from "../steps.ts";
import { checkPackages } from "./check-packages.ts";
import { placePackages } from "./place-packages.ts";

/** Fetches what the plan pins, unpacks it and compares the tree with the plan. `work` is the build's private folder. */
export async function placeTree(request: BuildRequest, locked: Locked, work: string): Promise<Placed> {
  const { plan, definition } = locked;
  const signal = request.signal === undefined ? {} : { signal: request.signal };
  const archives = await fetchTarballs(
    plan.packages.filter((planned) => planned.bundledIn === undefined),
    {
      cache: request.cache,
      offline: request.offline,
      npm: request.offline ? {} : await readNpmOptions(request.packDir),
      ...signal,
      onProgress: (progress) => request.onProgress({ step: "fetch", ...progress }),
    },
  );
  const root = join(work, "assembled");
  await mkdir(root, { mode: 0o755 });
  request.onProgress({ step: "unpack" });
  await placePackages({ root, scratch: join(work, "unpacked"), plan, archives, ...signal });
  await checkPackages(root, plan, definition.installScripts);
  return { ...locked, root };
}
