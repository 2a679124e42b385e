import { join } from "node:path";
import type { Manifest } from "../manifest/types.ts";
import {
  type BuiltImage,
  diffBuiltImage,
  readBuiltImage,
  readInnerManifest,
  toDigestReference,
} from "./built-image.ts";
import { toImageTag } from "./content-id.ts";
import type { Docker } from "./docker.ts";
import { imageError } from "./errors.ts";
import { assertAdoptable, assertExpected, readExpectedPayload } from "./expected-payload.ts";
import { checkImage, identifyImage } from "./image-closure.ts";
import type { BuildDefinition } from "./image-definition.ts";
import { assertNoFindings } from "./image-finding.ts";
import type { PlannedImage } from "./planned-image.ts";
import { type VendoredPrograms, verifyPrograms } from "./vendor/fill-vendor.ts";

export interface BuildImageRequest {
  readonly planned: PlannedImage;
  /** `repository`, or `repository:tag`; without a tag it is the content ID's. */
  readonly tag: string;
  readonly push: boolean;
  /** False: adopt what there is, or say that there is nothing. */
  readonly build: boolean;
  /** The full commit. Provenance. */
  readonly revision: string;
  readonly docker: Docker;
  /** Made anew, to compare them with the vendored ones. */
  readonly programs: VendoredPrograms;
  readonly onStep: (step: string) => void;
  readonly onOutput: (text: string) => void;
}

export interface ImageResult {
  readonly id: string;
  /** True where the tag existed and nothing was built. */
  readonly adopted: boolean;
  readonly tag: string;
  /** By registry digest; by the engine's image ID where it was neither pulled nor pushed. */
  readonly reference: string;
  /** The pack's manifest, from inside the image. */
  readonly manifest: Manifest;
}

/**
 * Checks, identifies, then adopts the image that the ID's tag names, or builds it (design 4, requirement D2). A tag that holds anything
 * else is an error: it is never built over. Undefined where there is nothing to adopt and nothing may be built.
 * @throws the code of whatever does not hold
 */
export async function buildImage(request: BuildImageRequest): Promise<ImageResult | undefined> {
  const { planned, docker, onStep } = request;
  const build = toBuild(planned);
  onStep("check");
  assertNoFindings(checkImage(planned));
  onStep("identify");
  const { id } = identifyImage(planned);
  const tag = toTag(request.tag, id);
  onStep("look for the tag");
  const where = await findTag(docker, tag);
  if (where !== undefined) return await adopt(request, build, id, tag, where);
  if (!request.build) return undefined;
  onStep("build");
  await runBuild(request, build, id, tag);
  onStep("read back");
  const base = await readBase(request, build);
  const { image, manifest } = await readBack(request, build, id, tag, base);
  const expected = readExpectedPayload(planned.context, manifest.payload.name, toCandidates(planned));
  if (expected !== undefined) assertExpected(manifest, expected, tag);
  if (!request.push) return { id, adopted: false, tag, reference: image.id, manifest };
  onStep("push");
  await docker.run(["push", "-q", tag]);
  return {
    id,
    adopted: false,
    tag,
    reference: toDigestReference(await readBuiltImage(docker, tag), tag),
    manifest,
  };
}

function toBuild({ definition, definitionFile }: PlannedImage): BuildDefinition {
  if (definition?.build !== undefined) return definition.build;
  throw imageError("image.build-undeclared", { subject: definitionFile, expected: "`build`", got: "none" });
}

/** A colon behind the last slash begins a tag; one before it is a registry's port. */
function toTag(tag: string, id: string): string {
  return /:[^/]*$/.test(tag) ? tag : `${tag}:${toImageTag(id)}`;
}

/** The registry first: what it holds counts, not what this engine happens to have. A registry that does not answer is no "no". */
async function findTag(docker: Docker, tag: string): Promise<"registry" | "engine" | undefined> {
  if (hasRegistry(tag)) {
    const pulled = await docker.attempt(["pull", "-q", tag]);
    if (pulled.ok) return "registry";
    if (/manifest unknown|name unknown|not found/i.test(pulled.stderr)) return undefined;
    const got = pulled.stderr.trim().slice(0, 500);
    throw imageError("image.docker-failed", {
      subject: `docker pull ${tag}`,
      expected: "an image, or that there is none",
      got,
    });
  }
  return (await docker.attempt(["image", "inspect", tag])).ok ? "engine" : undefined;
}

/** Docker's own rule: a first part with a dot or a colon, or `localhost`, is a registry. */
function hasRegistry(tag: string): boolean {
  const [first = "", ...rest] = tag.split("/");
  return rest.length > 0 && (/[.:]/.test(first) || first === "localhost");
}

async function adopt(
  request: BuildImageRequest,
  build: BuildDefinition,
  id: string,
  tag: string,
  where: "registry" | "engine",
): Promise<ImageResult> {
  const { docker, onStep, planned } = request;
  onStep("adopt");
  let reference = tag;
  if (where === "registry") {
    reference = toDigestReference(await readBuiltImage(docker, tag), tag);
    await docker.run(["pull", "-q", reference]);
  }
  const { image, manifest } = await readBack(request, build, id, reference, undefined);
  assertAdoptable(
    manifest,
    readExpectedPayload(planned.context, manifest.payload.name, toCandidates(planned)),
    reference,
  );
  return { id, adopted: true, tag, reference: where === "registry" ? reference : image.id, manifest };
}

async function runBuild(
  { planned, revision, docker, programs, onOutput }: BuildImageRequest,
  build: BuildDefinition,
  id: string,
  tag: string,
): Promise<void> {
  await verifyPrograms(join(planned.context, build.vendor), programs);
  const values = new Map(planned.buildArguments)
    .set(build.contentId.argument, id)
    .set(build.revision.argument, revision);
  const named = [...values].flatMap(([name, value]) => ["--build-arg", `${name}=${value}`]);
  await docker.follow(
    ["build", "--network", "none", "-f", planned.dockerfile, "-t", tag, ...named, planned.context],
    onOutput,
  );
}

/** The base is at hand after a build; its reference is the last that a FROM names from outside. */
async function readBase(
  { planned, docker }: BuildImageRequest,
  build: BuildDefinition,
): Promise<BuiltImage | undefined> {
  const reference =
    planned.buildArguments.get(build.base) ??
    planned.plan.arguments.find(({ name, global }) => global && name === build.base)?.fallback;
  return reference === undefined ? undefined : await readBuiltImage(docker, reference);
}

async function readBack(
  { planned, revision, docker }: BuildImageRequest,
  build: BuildDefinition,
  id: string,
  reference: string,
  base: BuiltImage | undefined,
) {
  const image = await readBuiltImage(docker, reference);
  // An adopted image was built from an earlier commit with the same inputs: its revision is provenance, its ID is not.
  const labels = {
    [build.contentId.label]: id,
    ...(base === undefined ? {} : { [build.revision.label]: revision }),
  };
  assertNoFindings(
    diffBuiltImage(image, {
      reference,
      platform: planned.platform,
      labels,
      ...(base === undefined ? {} : { base }),
    }),
  );
  return { image, manifest: await readInnerManifest(docker, reference, build.manifest) };
}

function toCandidates({ definition, buildArguments }: PlannedImage): readonly string[] {
  const argument = definition?.candidates?.argument;
  const value = argument === undefined ? undefined : buildArguments.get(argument);
  return value === undefined || value === "" ? [] : value.split(",");
}
