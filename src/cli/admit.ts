import { resolve } from "node:path";
import type { Command } from "commander";
import type { AdmissionRequest } from "../admission/admission.ts";
import type { AdmissionPolicy } from "../admission/policy.ts";
import type { CommandContext } from "./command.ts";
import { cliError } from "./errors.ts";
import type { Exit, Io } from "./io.ts";
import { printAdmission, printRefusal } from "./print-admission.ts";
import { startProgress } from "./progress.ts";

export interface AdmitCommandOptions {
  readonly manifest?: string;
  readonly pack?: string;
  readonly stage?: true;
  readonly image?: string;
  readonly commands?: string;
  readonly root?: readonly string[];
  readonly policy?: string;
  readonly deny?: readonly string[];
  readonly json?: true;
}

/** Stands in for --pack (A1). */
export const packVariable = "PAPERCLIP_RUNNER_REMOTE_PROVIDER_PACK_PATH";

export const targetArgument = ["<target>", "docker:<container> or ssh:[user@]<host>[:port]"] as const;

/** The options that `admit` and `stage` share. */
export function addAdmitOptions(command: Command): Command {
  return command
    .option("--image <reference>", "the image that the lease names: one on the deny list is refused")
    .option("--commands <names>", "commands of the pack that the run uses, separated by commas")
    .option(
      "--root <path...>",
      "where packs are looked for, instead of the two default places; $HOME/… works",
    )
    .option("--policy <names>", "require-image, require-unprivileged, separated by commas")
    .option("--deny <image...>", "more images known to be bad")
    .option("--json", "print one JSON document");
}

export function registerAdmit(program: Command, { io, setExit }: CommandContext): void {
  const command = program
    .command("admit")
    .description("decide whether a sandbox's pack may be used, in one round trip")
    .argument(...targetArgument)
    .option("--manifest <file>", "the build-owned manifest")
    .option("--pack <dir>", `the build-owned pack (default: $${packVariable})`)
    .option("--stage", "put the pack there if none may be used");
  addAdmitOptions(command)
    .addHelpText(
      "after",
      "\nExample:\n  sealpack admit docker:box --pack out/pack --stage --commands codex,claude",
    )
    .action(async (target: string, options: AdmitCommandOptions) =>
      setExit(await runAdmit(target, options, io)),
    );
}

export async function runAdmit(target: string, options: AdmitCommandOptions, io: Io): Promise<Exit> {
  const { openSandbox } = await import("../sandbox/open-sandbox.ts");
  const { admit } = await import("../admission/admit.ts");
  const { AdmissionError } = await import("../admission/reason.ts");
  const progress = startProgress(io);
  try {
    const request = await toRequest(options, io);
    const sandbox = openSandbox(target, io.env);
    const stage =
      request.stage === undefined ? {} : { stage: { ...request.stage, onProgress: progress.update } };
    const admission = await admit({ ...request, sandbox, ...stage });
    progress.end();
    io.stdout(options.json ? `${JSON.stringify(admission, null, 2)}\n` : printAdmission(admission));
    return 0;
  } catch (error) {
    progress.end();
    if (error instanceof AdmissionError) return printRefusal(error, options.json === true, io);
    throw error;
  } finally {
    progress.end();
  }
}

async function toRequest(options: AdmitCommandOptions, io: Io): Promise<Omit<AdmissionRequest, "sandbox">> {
  const pack = options.pack ?? (io.env[packVariable] || undefined);
  const directory = pack === undefined ? undefined : resolve(io.cwd, pack);
  if (options.stage && directory === undefined) throw usage("--stage", "--pack too", "no pack to stage");
  const { image, root } = options;
  return {
    expected: await readExpected(options, directory, io),
    commands: toNames(options.commands),
    policy: toPolicy(options),
    signal: io.signal,
    ...(image === undefined ? {} : { image }),
    ...(root === undefined ? {} : { packRoots: root }),
    ...(options.stage && directory !== undefined ? { stage: { pack: directory } } : {}),
  };
}

async function readExpected({ manifest }: AdmitCommandOptions, pack: string | undefined, io: Io) {
  const { readManifestFile } = await import("../pack/read-pack.ts");
  const file = manifest === undefined ? pack : resolve(io.cwd, manifest);
  if (file === undefined) throw usage("admit", "--manifest, --pack or the variable", "none");
  return await readManifestFile(file);
}

function toPolicy({ policy, deny }: AdmitCommandOptions): AdmissionPolicy {
  const names = toNames(policy);
  const known = ["require-image", "require-unprivileged"];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw usage("--policy", known.join(" or "), JSON.stringify(unknown));
  return {
    requireImage: names.includes("require-image"),
    requireUnprivileged: names.includes("require-unprivileged"),
    ...(deny === undefined ? {} : { denyImages: deny }),
  };
}

function toNames(list: string | undefined): string[] {
  return (list ?? "").split(",").filter((name) => name !== "");
}

function usage(subject: string, expected: string, got: string) {
  return cliError("cli.usage", { subject, expected, got });
}
