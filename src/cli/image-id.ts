import type { Command } from "commander";
import type { CommandContext } from "./command.ts";
import { type ImageOptions, toImageRequest, withImageOptions } from "./image-target.ts";
import type { Exit, Io } from "./io.ts";

interface ImageIdOptions extends ImageOptions {
  readonly explain?: true;
  readonly json?: true;
}

export function registerImageId(image: Command, { io, setExit }: CommandContext): void {
  withImageOptions(
    image
      .command("id")
      .description("print an image's content ID: the digest of everything that its build can read"),
  )
    .option("--explain", "print every record that the ID is made of, before the ID")
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  sealpack image id daytona-runner --explain")
    .action(async (target: string, options: ImageIdOptions) =>
      setExit(await runImageId(target, options, io)),
    );
}

export async function runImageId(target: string, options: ImageIdOptions, io: Io): Promise<Exit> {
  const { planImage } = await import("../image/planned-image.ts");
  const { identifyImage } = await import("../image/image-closure.ts");
  const { printRecords, toImageTag } = await import("../image/content-id.ts");
  const planned = planImage(toImageRequest(target, options, io));
  const { id, records } = identifyImage(planned);
  if (options.json) {
    const explained = options.explain ? { records } : {};
    io.stdout(
      `${JSON.stringify({ id, tag: toImageTag(id), platform: planned.platform, ...explained }, null, 2)}\n`,
    );
    return 0;
  }
  io.stdout(options.explain ? `${printRecords(records)}${id}\n` : `${id}\n`);
  return 0;
}
