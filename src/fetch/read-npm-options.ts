import { createRequire } from "node:module";
import { dirname } from "node:path";
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
    const got = (cause as NodeJS.ErrnoException).code ?? "an error";
    throw fetchError("fetch.npm-config", {
      subject: cwd,
      expected: "readable npm configuration",
      got,
      cause,
    });
  }
}
