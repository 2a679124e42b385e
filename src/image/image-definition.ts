import * as z from "zod";
import { parseYaml, type YamlSource } from "../definition/yaml-document.ts";
import { imageError } from "./errors.ts";
import { toShownText } from "./image-finding.ts";
import { lineOf, toIssueFacts } from "./schema-issue.ts";

const name = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "a name of letters, digits and _");
const path = z
  .string()
  .min(1)
  .max(4096)
  .refine(isNormal, "a relative path without . or .., with / at its end for a folder");

const marked = z.strictObject({
  argument: name,
  label: z.string().regex(/^[a-z0-9]+(?:[.-][a-z0-9]+)*$/, "a label's name"),
});
const build = z.strictObject({
  pack: path,
  vendor: path,
  base: name,
  contentId: marked,
  revision: marked,
  lock: name,
  manifest: z.string().regex(/^\/[^\x00-\x20\\]+$/, "an absolute path"),
});

const schema = z.strictObject({
  schema: z.literal("sealpack/image/v1"),
  context: z.string().regex(/^(?:\.|\.\.(?:\/\.\.)*)$/, ". or ../.. and so on"),
  platform: z.string().regex(/^linux\/[a-z0-9]+(?:\/[a-z0-9]+)?$/, "linux/<architecture>"),
  builders: z.enum(["classic-and-buildkit", "buildkit"]).default("classic-and-buildkit"),
  inputs: z.array(path).max(10_000),
  derived: z
    .array(z.strictObject({ path, from: z.array(path).min(1).max(1000) }))
    .max(100)
    .default([]),
  provenance: z.array(name).max(100).default([]),
  candidates: z
    .strictObject({
      argument: name,
      names: z.array(z.string().regex(/^[a-z][a-z0-9-]*$/, "a provider's name")).max(100),
    })
    .optional(),
  build: build.optional(),
  deny: z.array(z.string().min(1).max(512)).max(10_000).default([]),
});

/** An `image.yaml`: what its author says the image depends on, for the audit to compare with what the Dockerfile reads. */
export interface ImageDefinition {
  /** The build context, relative to the folder of image.yaml. */
  readonly context: string;
  readonly platform: string;
  /** Which builders must read the Dockerfile alike. */
  readonly builders: "classic-and-buildkit" | "buildkit";
  /** Audited inputs, relative to the context: a file, or a folder with `/` at its end. */
  readonly inputs: readonly AuditedPath[];
  readonly derived: readonly DerivedFolder[];
  /** Build arguments that are recorded and left out of the ID. */
  readonly provenance: readonly string[];
  readonly candidates?: { readonly argument: string; readonly names: readonly string[] };
  readonly build?: BuildDefinition;
  /** Images known to be bad, by reference, name, tag or digest. */
  readonly deny: readonly string[];
}

/** Which argument, label and path is which, for `image build` and for the lock's digest. */
export interface BuildDefinition {
  /** The pack in the image, relative to the context. */
  readonly pack: string;
  /** The folder that `sealpack fetch` fills, relative to the context. */
  readonly vendor: string;
  /** The argument that names the base image. */
  readonly base: string;
  readonly contentId: { readonly argument: string; readonly label: string };
  readonly revision: { readonly argument: string; readonly label: string };
  /** The argument that holds the lock's SHA-256 (requirement D5). */
  readonly lock: string;
  /** Path of the pack's manifest in the image. */
  readonly manifest: string;
}

export interface AuditedPath {
  readonly path: string;
  /** Where image.yaml says so; counts from 1. */
  readonly line: number;
}

/** A folder that is made from pinned files: it counts by them, and whoever makes it checks its bytes against them. */
export interface DerivedFolder {
  readonly path: string;
  readonly from: readonly AuditedPath[];
}

/** @throws image.definition-invalid, or a definition.* code where the YAML itself is wrong */
export function parseImageDefinition(bytes: Uint8Array, file: string): ImageDefinition {
  const source = parseYaml(bytes, file);
  const wrong = source.problems[0];
  if (wrong !== undefined) throw invalid(`${file}:${wrong.line}`, wrong.expected, wrong.got);
  const result = schema.safeParse(source.document.toJS({ maxAliasCount: 0 }));
  if (!result.success)
    throw imageError(
      "image.definition-invalid",
      toIssueFacts(source, result.error.issues[0] as z.core.$ZodIssue),
    );
  const { schema: _, candidates, build: declared, inputs, derived, ...rest } = result.data;
  return {
    ...rest,
    inputs: inputs.map((value, index) => ({ path: value, line: lineOf(source, ["inputs", index]) })),
    derived: derived.map((folder, index) => toDerived(source, folder, index)),
    ...(candidates === undefined ? {} : { candidates }),
    ...(declared === undefined ? {} : { build: declared }),
  };
}

function toDerived(
  source: YamlSource,
  folder: { path: string; from: string[] },
  index: number,
): DerivedFolder {
  const from = folder.from.map((value, at) => ({
    path: value,
    line: lineOf(source, ["derived", index, "from", at]),
  }));
  return { path: folder.path.replace(/\/$/, ""), from };
}

function invalid(subject: string, expected: string, got: string) {
  return imageError("image.definition-invalid", { subject, expected, got: toShownText(got) });
}

function isNormal(text: string): boolean {
  const names = text.replace(/\/$/, "").split("/");
  return names.every((part) => part !== "" && part !== "." && part !== "..") && !/[\x00-\x1f\\]/.test(text);
}
