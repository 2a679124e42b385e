import { dirname, join, resolve } from "node:path";
import type { Command } from "commander";
import { toTarget } from "../definition/target.ts";
import type { CommandContext } from "./command.ts";
import { collect, toImageRequest } from "./image-target.ts";
import type { Exit, Io } from "./io.ts";

interface ImageFleetOptions {
  readonly vendor: string;
  readonly to: string;
  readonly without?: readonly string[];
  readonly json?: true;
}

export function registerImageFleet(image: Command, { io, setExit }: CommandContext): void {
  image
    .command("fleet")
    .description("install the fleet's archives and programs from a vendored folder, inside an image's build")
    .argument("<name|Dockerfile>", "an image of docker/<name>, or the path of a Dockerfile")
    .requiredOption("--vendor <dir>", "the folder that `sealpack fetch` has filled")
    .requiredOption("--to <dir>", "where the fleet goes")
    .option("--without <name>", "an archive that fetch was told to leave out", collect)
    .option("--json", "print one JSON document")
    .addHelpText(
      "after",
      "\nExample:\n  sealpack image fleet daytona-runner --vendor docker/daytona-runner/vendor --to /out/fleet",
    )
    .action(async (target: string, options: ImageFleetOptions) =>
      setExit(await runImageFleet(target, options, io)),
    );
}

/** Prints each command, its executable below `--to` and its version, apart by TABs. */
export async function runImageFleet(target: string, options: ImageFleetOptions, io: Io): Promise<Exit> {
  const { planImage } = await import("../image/planned-image.ts");
  const { parseFleetDefinition } = await import("../image/fleet-definition.ts");
  const { readBounded } = await import("../image/read-bounded.ts");
  const { installFleet } = await import("../image/vendor/install-fleet.ts");
  const { dockerfile, context } = planImage(toImageRequest(target, {}, io));
  const file = join(dirname(dockerfile), "fleet.yaml");
  const commands = await installFleet({
    fleet: parseFleetDefinition(readBounded(file), file),
    context,
    vendor: resolve(io.cwd, options.vendor),
    to: resolve(io.cwd, options.to),
    target: toTarget("linux-x64"),
    without: options.without ?? [],
  });
  if (options.json) io.stdout(`${JSON.stringify(commands, null, 2)}\n`);
  else for (const { command, path, version } of commands) io.stdout(`${command}\t${path}\t${version}\n`);
  return 0;
}
