import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import type { ImageRequest } from "../image/planned-image.ts";
import { cliError } from "./errors.ts";
import type { Io } from "./io.ts";

/** The options that every image command shares. */
export interface ImageOptions {
  readonly candidateProviders?: string;
  readonly buildArg?: readonly string[];
  readonly platform?: string;
  readonly context?: string;
  readonly lock?: string;
  readonly lockSha256?: string;
}

/** `daytona-runner` is docker/daytona-runner/Dockerfile; anything else is a Dockerfile's path, or its folder's. */
export function toImageRequest(target: string, options: ImageOptions, io: Io): ImageRequest {
  const { candidateProviders, platform, context } = options;
  return {
    dockerfile: toDockerfile(target, io.cwd),
    buildArguments: parseBuildArguments(options.buildArg ?? []),
    ...(candidateProviders === undefined ? {} : { candidates: candidateProviders }),
    ...(platform === undefined ? {} : { platform }),
    ...toGivenLock(options, io),
    ...(context === undefined ? {} : { context: resolve(io.cwd, context) }),
  };
}

/** The ID needs only the digest; a lock file is checked against it (requirement D5). */
function toGivenLock({ lock, lockSha256 }: ImageOptions, io: Io): Pick<ImageRequest, "lock"> {
  if (lockSha256 !== undefined)
    return { lock: { sha256: lockSha256, ...(lock === undefined ? {} : { file: resolve(io.cwd, lock) }) } };
  if (lock === undefined) return {};
  throw cliError("cli.half-a-lock", {
    subject: "--lock",
    expected: "--lock-sha256 with it",
    got: "--lock alone",
  });
}

/** The options that every image command takes, with their help. */
export function withImageOptions(command: Command): Command {
  return command
    .argument("<name|Dockerfile>", "an image of docker/<name>, or the path of a Dockerfile")
    .option("--candidate-providers <list>", "the candidate providers in the image, as a comma list")
    .option("--build-arg <name=value>", "a build argument, as docker build would get it", collect)
    .option("--lock-sha256 <hex>", "the SHA-256 of the lock to build with, in place of the pack's own")
    .option("--lock <file>", "that lock, to be checked against the digest")
    .option("--platform <platform>", "refused unless it is the image's own")
    .option("--context <dir>", "the build context of a Dockerfile without image.yaml (default: its folder)");
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
