import { resolve } from "node:path";
import type { Command } from "commander";
import type { Manifest } from "../manifest/types.ts";
import type { CommandContext } from "./command.ts";
import type { Exit, Io } from "./io.ts";

interface InspectOptions {
  readonly expected?: true;
  readonly json?: true;
}

export function registerInspect(program: Command, { io, setExit }: CommandContext): void {
  program
    .command("inspect")
    .description("show what is in a pack: commands, bridges, components with sizes, host needs")
    .argument("<dir>", "a sealed pack")
    .option("--expected", "print its expected payload, as manifests/<pack>/<target>.json holds it")
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  sealpack inspect out/paperclip-runner-linux-x64")
    .action(async (dir: string, options: InspectOptions) => setExit(await runInspect(dir, options, io)));
}

async function runInspect(dir: string, options: InspectOptions, io: Io): Promise<Exit> {
  const { assertPackThere, readListingFile, readManifestFile } = await import("../pack/read-pack.ts");
  const root = await assertPackThere(resolve(io.cwd, dir));
  const manifest = await readManifestFile(root);
  if (options.expected) {
    const { printExpected } = await import("../manifest/expected.ts");
    io.stdout(printExpected(manifest.payload).toString());
    return 0;
  }
  const { toComponentSizes } = await import("../pack/component-sizes.ts");
  const { toInspectText } = await import("./print-inspect.ts");
  const sizes = toComponentSizes(await readListingFile(root), Object.keys(manifest.payload.components), []);
  if (options.json) io.stdout(`${JSON.stringify(toDocument(manifest, sizes), null, 2)}\n`);
  else io.stdout(toInspectText(manifest, sizes));
  return 0;
}

function toDocument(manifest: Manifest, sizes: ReadonlyMap<string, number>) {
  return { manifest, sizes: Object.fromEntries(sizes) };
}
