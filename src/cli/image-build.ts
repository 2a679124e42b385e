import { writeFile } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import type { Command } from "commander";
import type { ImageRequest } from "../image/planned-image.ts";
import type { CommandContext } from "./command.ts";
import { cliError } from "./errors.ts";
import { type ImageOptions, toImageRequest, withImageOptions } from "./image-target.ts";
import type { Exit, Io } from "./io.ts";

interface ImageBuildOptions extends ImageOptions {
  readonly base?: string;
  readonly tag?: string;
  readonly push?: true;
  readonly build: boolean;
  readonly sourceRevision?: string;
  readonly manifestOut?: string;
  readonly json?: true;
}

export function registerImageBuild(image: Command, { io, setExit }: CommandContext): void {
  withImageOptions(
    image
      .command("build")
      .description("check, identify, then adopt the image that the ID's tag names, or build it"),
  )
    .option("--base <reference>", "the base image, by digest, in place of the Dockerfile's default")
    .option(
      "--tag <repository[:tag]>",
      "what the image is called (default: the image's name and its ID's tag)",
    )
    .option("--push", "push what was built, and print its reference by registry digest")
    .option("--no-build", "only adopt: where the ID has no image yet, print nothing and build nothing")
    .option("--source-revision <sha>", "the commit that the image is built from (default: HEAD)")
    .option("--manifest-out <file>", "write the pack's manifest from inside the image to a file")
    .option("--json", "print one JSON document")
    .addHelpText(
      "after",
      "\nExample:\n  sealpack image build daytona-runner --tag registry.example/runner --push",
    )
    .action(async (target: string, options: ImageBuildOptions) =>
      setExit(await runImageBuild(target, options, io)),
    );
}

/** Prints the reference by digest, and nothing else, on stdout. */
export async function runImageBuild(target: string, options: ImageBuildOptions, io: Io): Promise<Exit> {
  const { planImage } = await import("../image/planned-image.ts");
  const { buildImage } = await import("../image/build-image.ts");
  const { createDocker } = await import("../image/docker.ts");
  const { printManifest } = await import("../manifest/print-manifest.ts");
  const { startProgress } = await import("./progress.ts");
  const { toPrograms, toRevision } = await import("./tool-bundle.ts");
  const planned = planImage(await withBase(toImageRequest(target, options, io), options.base));
  const revision = await toRevision(options.sourceRevision, planned.context);
  const progress = startProgress(io);
  try {
    const result = await buildImage({
      planned,
      tag: options.tag ?? basename(dirname(planned.dockerfile)),
      push: options.push === true,
      build: options.build,
      revision,
      docker: createDocker({ env: io.env, cwd: io.cwd, signal: io.signal }),
      programs: toPrograms(revision),
      onStep: (step) => progress.update({ step }),
      onOutput: io.stderr,
    });
    progress.end();
    if (result === undefined) {
      io.stderr("sealpack: the ID has no image yet\n");
      if (options.json) io.stdout(`${JSON.stringify({ adopted: false }, null, 2)}\n`);
      return 0;
    }
    if (options.manifestOut !== undefined)
      await writeFile(resolve(io.cwd, options.manifestOut), printManifest(result.manifest));
    const { manifest, ...rest } = result;
    if (options.json) io.stdout(`${JSON.stringify({ ...rest, manifest: manifest.digest }, null, 2)}\n`);
    else {
      io.stderr(
        `sealpack: ${result.adopted ? "adopted, nothing was built" : "built"}: ${result.tag}, manifest ${manifest.digest}\n`,
      );
      io.stdout(`${result.reference}\n`);
    }
    return 0;
  } finally {
    progress.end();
  }
}

/** `--base` is the build argument that image.yaml declares for it. */
async function withBase(request: ImageRequest, base: string | undefined): Promise<ImageRequest> {
  if (base === undefined) return request;
  const { planImage } = await import("../image/planned-image.ts");
  const argument = planImage(request).definition?.build?.base;
  if (argument === undefined || request.buildArguments.has(argument)) {
    const got = argument === undefined ? "an image.yaml without `build`" : `--build-arg ${argument} as well`;
    throw cliError("cli.usage", { subject: "--base", expected: "the one place that names the base", got });
  }
  return { ...request, buildArguments: new Map(request.buildArguments).set(argument, base) };
}
