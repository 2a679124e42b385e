import { join, resolve } from "node:path";
import type { Command } from "commander";
import { toTarget } from "../definition/target.ts";
import type { CommandContext } from "./command.ts";
import { cliError } from "./errors.ts";
import { toImageRequest } from "./image-target.ts";
import type { Exit, Io } from "./io.ts";
import { type LockOptions, toLockPair } from "./lock-pair.ts";

interface ImageBundlerOptions extends LockOptions {
  readonly vendor: string;
  readonly to: string;
}

export function registerImageBundler(image: Command, { io, setExit }: CommandContext): void {
  image
    .command("bundler")
    .description("unpack the bundler that bridges are compiled by, inside an image's build")
    .argument("<name|Dockerfile>", "an image of docker/<name>, or the path of a Dockerfile")
    .requiredOption("--vendor <dir>", "the folder that `sealpack fetch` has filled")
    .requiredOption("--to <dir>", "a node_modules folder beside the tool")
    .option("--lock <file>", "the lock that the pack is built by, with --lock-sha256")
    .option("--lock-sha256 <hex>", "the SHA-256 that the given lock must have")
    .addHelpText(
      "after",
      "\nExample:\n  sealpack image bundler daytona-runner --vendor vendor --to vendor/node_modules",
    )
    .action(async (target: string, options: ImageBundlerOptions) =>
      setExit(await runImageBundler(target, options, io)),
    );
}

async function runImageBundler(target: string, options: ImageBundlerOptions, io: Io): Promise<Exit> {
  const { planImage } = await import("../image/planned-image.ts");
  const { installBundler } = await import("../image/vendor/install-bundler.ts");
  const { definition, definitionFile, context } = planImage(toImageRequest(target, {}, io));
  if (definition?.build === undefined) {
    throw cliError("cli.usage", {
      subject: definitionFile,
      expected: "`build`, which names the pack",
      got: "none",
    });
  }
  const lock = toLockPair(options, io);
  await installBundler({
    packDir: join(context, definition.build.pack),
    vendor: resolve(io.cwd, options.vendor),
    to: resolve(io.cwd, options.to),
    target: toTarget("linux-x64"),
    ...(lock === undefined ? {} : { lock }),
  });
  return 0;
}
