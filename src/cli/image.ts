import type { Command } from "commander";
import type { CommandContext } from "./command.ts";
import { registerImageBuild } from "./image-build.ts";
import { registerImageBundler } from "./image-bundler.ts";
import { registerImageCheck } from "./image-check.ts";
import { registerImageFleet } from "./image-fleet.ts";
import { registerImageId } from "./image-id.ts";

export function registerImage(program: Command, context: CommandContext): void {
  const image = program.command("image").description("identify, check or build a Docker image");
  registerImageId(image, context);
  registerImageCheck(image, context);
  registerImageBuild(image, context);
  registerImageBundler(image, context);
  registerImageFleet(image, context);
}
