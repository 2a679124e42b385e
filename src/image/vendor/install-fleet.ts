import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, lstat, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { createBrotliDecompress } from "node:zlib";
import { defaultLimits } from "../../archive/limits.ts";
import { unpackTarball } from "../../archive/unpack-tarball.ts";
import { readDefinition } from "../../definition/read-definition.ts";
import type { Target } from "../../definition/target.ts";
import { toCachePath } from "../../fetch/cache-path.ts";
import { loadLock } from "../../lock/load-lock.ts";
import { planTarget } from "../../lock/plan-target.ts";
import type { FleetArchive, FleetDefinition, FleetProgram } from "../fleet-definition.ts";
import { hashInput } from "../hash-input.ts";
import { vendorError } from "./errors.ts";
import { putVerified } from "./put-verified.ts";
import { toArchivePath, vendorNames } from "./vendor-paths.ts";

export interface InstallFleetRequest {
  readonly fleet: FleetDefinition;
  /** The build context, from which the fleet names its packs. */
  readonly context: string;
  readonly vendor: string;
  /** Where the fleet goes: `<to>/<name>/…`. */
  readonly to: string;
  readonly target: Target;
  readonly without: readonly string[];
}

/** What the fleet adds to the image: each command, its executable below `to`, and the version that it is pinned to. */
export interface InstalledCommand {
  readonly command: string;
  readonly path: string;
  readonly version: string;
}

/**
 * Installs archives and programs from a vendored folder, offline; every byte is checked against fleet.yaml or a lock on the way.
 * @throws a vendor.*, lock.* or archive.* code
 */
export async function installFleet(request: InstallFleetRequest): Promise<readonly InstalledCommand[]> {
  const commands: InstalledCommand[] = [];
  for (const [name, archive] of Object.entries(request.fleet.archives)) {
    if (request.without.includes(name)) continue;
    await installArchive(name, archive, request);
    const { version } = archive;
    for (const [command, path] of Object.entries(archive.commands))
      commands.push({ command, path: join(name, path), version });
  }
  for (const [name, program] of Object.entries(request.fleet.programs)) {
    const version = await installProgram(name, program, request);
    commands.push({ command: name, path: join(name, name), version });
  }
  return commands;
}

async function installArchive(
  name: string,
  { sha256, version, commands }: FleetArchive,
  { vendor, to }: InstallFleetRequest,
): Promise<void> {
  const file = toArchivePath(vendor, sha256);
  const label = `${name} ${version}`;
  if ((await lstat(file).catch(() => undefined)) === undefined) {
    throw vendorError("vendor.archive-missing", {
      subject: label,
      expected: `${vendorNames.archives}/${sha256}`,
      got: "nothing",
    });
  }
  const got = hashInput(file, label);
  if (got !== sha256) throw vendorError("vendor.archive-digest", { subject: label, expected: sha256, got });
  const destination = join(to, name);
  await unpackTarball({ file, integrity: await toIntegrity(file), destination, label });
  for (const [command, path] of Object.entries(commands)) {
    const executable = join(destination, path);
    if ((await lstat(executable).catch(() => undefined))?.isFile() !== true) {
      throw vendorError("vendor.command-missing", {
        subject: `${name}: ${command}`,
        expected: path,
        got: "no file",
      });
    }
    await chmod(executable, 0o755);
  }
}

/** The unpacker wants sha512; the archive has just been found to be the pinned one, and is hashed again from the same descriptor. */
async function toIntegrity(file: string): Promise<string> {
  const hash = createHash("sha512");
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return `sha512-${hash.digest("base64")}`;
}

async function installProgram(
  name: string,
  program: FleetProgram,
  { context, vendor, to, target }: InstallFleetRequest,
): Promise<string> {
  const packDir = join(context, program.pack);
  const { definition } = await readDefinition(packDir);
  const { packages } = planTarget(await loadLock({ packDir, definition }), definition, target);
  const planned = packages.find(({ location }) => location === program.location);
  if (planned === undefined) {
    throw vendorError("vendor.command-missing", {
      subject: name,
      expected: `${program.location} in ${program.pack}`,
      got: "no such package",
    });
  }
  await mkdir(to, { recursive: true });
  const scratch = await mkdtemp(join(to, ".program-"));
  try {
    const file = toCachePath(join(vendor, vendorNames.cache), planned.integrity, planned.name);
    await unpackTarball({
      file,
      integrity: planned.integrity,
      destination: join(scratch, "package"),
      label: `${planned.name}@${planned.version}`,
    });
    await putVerified(
      join(scratch, name),
      decompress(join(scratch, "package", program.file)),
      ({ sha256 }) => {
        return sha256 === program.sha256
          ? undefined
          : vendorError("vendor.archive-digest", { subject: name, expected: program.sha256, got: sha256 });
      },
      0o755,
    );
    await mkdir(join(to, name), { recursive: true });
    await rename(join(scratch, name), join(to, name, name));
    await chmod(dirname(join(to, name, name)), 0o755);
    return planned.version;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function* decompress(file: string): AsyncGenerator<Uint8Array> {
  const decoder = createBrotliDecompress();
  const source = createReadStream(file).on("error", (error) => decoder.destroy(error));
  let bytes = 0;
  try {
    for await (const chunk of source.pipe(decoder)) {
      bytes += (chunk as Buffer).length;
      if (bytes > defaultLimits.fileBytes) throw new Error(`more than ${defaultLimits.fileBytes} bytes`);
      yield chunk as Buffer;
    }
  } catch (cause) {
    const got = (cause as NodeJS.ErrnoException).code ?? (cause as Error).message;
    throw vendorError("vendor.command-missing", {
      subject: basename(file),
      expected: "a brotli-compressed program",
      got,
      cause,
    });
  }
}
