import { stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import Config from "@npmcli/config";
import npm from "@npmcli/config/lib/definitions/index.js";
import { fetchError } from "./errors.ts";
import type { NpmOptions } from "./npm-options.ts";

/**
 * npm's own configuration as npm would have it in `cwd`: project, user, global and environment.
 * It decides where bytes come from, never which bytes are accepted.
 * @throws fetch.npm-config
 */
export async function readNpmOptions(
  cwd: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<NpmOptions> {
  try {
    await assertReadable(join(cwd, ".npmrc"));
    const config = new Config({
      npmPath: dirname(createRequire(import.meta.url).resolve("@npmcli/config/package.json")),
      definitions: npm.definitions,
      shorthands: npm.shorthands,
      flatten: npm.flatten,
      nerfDarts: npm.nerfDarts,
      argv: [],
      // A copy: npm's loader writes into it.
      env: { ...env },
      // npm's global file lies beside the Node that runs npm, which need not be the one that runs us.
      execPath: env.npm_node_execpath ?? process.execPath,
      cwd,
      warn: false,
    });
    await config.load();
    return config.flat;
  } catch (cause) {
    const got = (cause as NodeJS.ErrnoException).code ?? (cause as Error).message;
    throw fetchError("fetch.npm-config", {
      subject: cwd,
      expected: "readable npm configuration",
      got,
      cause,
    });
  }
}

const maximumBytes = 1024 * 1024;

/** npm's loader would wait for a FIFO and read whatever size there is. The project's file comes with the pack. */
async function assertReadable(file: string): Promise<void> {
  const stats = await stat(file).catch(() => undefined);
  if (stats === undefined || (stats.isFile() && stats.size <= maximumBytes)) return;
  throw new Error(stats.isFile() ? `an .npmrc of ${stats.size} bytes` : "an .npmrc that is no regular file");
}
