import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ImageRequest } from "../image/planned-image.ts";
import { cliError } from "./errors.ts";
import type { Io } from "./io.ts";

/** The options that every image command shares. */
export interface ImageOptions {
  readonly candidateProviders?: string;
  readonly buildArg?: readonly string[];
  readonly platform?: string;
  readonly context?: string;
}

/** `daytona-runner` is docker/daytona-runner/Dockerfile; anything else is a Dockerfile's path, or its folder's. */
export function toImageRequest(target: string, options: ImageOptions, io: Io): ImageRequest {
  const { candidateProviders, platform, context } = options;
  return {
    dockerfile: toDockerfile(target, io.cwd),
    buildArguments: parseBuildArguments(options.buildArg ?? []),
    ...(candidateProviders === undefined ? {} : { candidates: candidateProviders }),
    ...(platform === undefined ? {} : { platform }),
    ...(context === undefined ? {} : { context: resolve(io.cwd, context) }),
  };
}

function toDockerfile(target: string, cwd: string): string {
  const named = join(cwd, "docker", target, "Dockerfile");
  if (/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(target) && existsSync(named)) return named;
  const path = resolve(cwd, target);
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? join(path, "Dockerfile") : path;
}

/** `k=v`, each name once. `k` alone would take its value from this machine's environment, which nothing records. */
export function parseBuildArguments(given: readonly string[]): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const text of given) {
    const [, name, value] = /^([A-Za-z_][A-Za-z0-9_]*)=([\s\S]*)$/.exec(text) ?? [];
    const problem =
      name === undefined || value === undefined
        ? "no name=value"
        : values.has(name)
          ? "a second one"
          : undefined;
    if (problem !== undefined) {
      throw cliError("cli.usage", {
        subject: `--build-arg ${text.split("=")[0]}`,
        expected: "name=value, each name once",
        got: problem,
      });
    }
    values.set(name as string, value as string);
  }
  return values;
}

export function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}
