import { existsSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { type BuildPlan, parseBuildPlan } from "./build-plan.ts";
import { withCandidates } from "./candidates.ts";
import { isDenied } from "./deny-list.ts";
import { type IgnorePattern, parseDockerignore } from "./dockerignore-pattern.ts";
import { imageError } from "./errors.ts";
import { type ImageDefinition, parseImageDefinition } from "./image-definition.ts";
import { type ImageFinding, sortFindings } from "./image-finding.ts";
import { type GivenLock, withLock } from "./lock-argument.ts";
import { readBounded } from "./read-bounded.ts";

export interface ImageRequest {
  /** Path of the Dockerfile. */
  readonly dockerfile: string;
  readonly buildArguments: ReadonlyMap<string, string>;
  /** `--candidate-providers`: a comma list. */
  readonly candidates?: string;
  /** A lock in place of the pack's own (requirement D5). */
  readonly lock?: GivenLock;
  /** The build context, for a Dockerfile without image.yaml; its own folder if absent. */
  readonly context?: string;
  /** The platform asked for; refused where image.yaml says another. */
  readonly platform?: string;
}

/** An image before any of its files is listed or hashed. */
export interface PlannedImage {
  readonly dockerfile: string;
  /** The Dockerfile and image.yaml as findings call them: relative to the context where they are in it. */
  readonly file: string;
  readonly definitionFile: string;
  /** Absolute. */
  readonly context: string;
  readonly platform: string;
  readonly buildArguments: ReadonlyMap<string, string>;
  readonly definition?: ImageDefinition;
  readonly patterns: readonly IgnorePattern[];
  readonly bytes: Uint8Array;
  readonly plan: BuildPlan;
  /** The plan's findings and those about the files around it. */
  readonly findings: readonly ImageFinding[];
}

const defaultPlatform = "linux/amd64";

/**
 * Reads the Dockerfile, the image.yaml beside it and the context's `.dockerignore`: three files, whatever the size of the context.
 * @throws image.* and definition.* codes of files that cannot be read at all
 */
export function planImage(request: ImageRequest): PlannedImage {
  const dockerfile = resolve(request.dockerfile);
  const definitionPath = join(dirname(dockerfile), "image.yaml");
  const definition = existsSync(definitionPath)
    ? parseImageDefinition(readBounded(definitionPath), definitionPath)
    : undefined;
  const context = toContext(request, dockerfile, definition);
  const file = toShownPath(context, dockerfile);
  const platform = toPlatform(request.platform, definition);
  const selected = withCandidates(request.buildArguments, request.candidates, definition);
  const buildArguments = withLock(selected, request.lock, definition);
  const bytes = readBounded(dockerfile);
  const plan = parseBuildPlan(bytes, { file, platform, buildArguments });
  const ignore = join(context, ".dockerignore");
  const patterns = existsSync(ignore) ? parseDockerignore(readBounded(ignore)) : [];
  const findings = [
    ...plan.findings,
    ...deniedFindings(plan, definition, file),
    ...shadowFindings(dockerfile, file),
  ];
  return {
    dockerfile,
    file,
    definitionFile: toShownPath(context, definitionPath),
    context,
    platform,
    buildArguments,
    patterns,
    bytes,
    plan,
    findings: sortFindings(findings),
    ...(definition === undefined ? {} : { definition }),
  };
}

function toContext(
  { context }: ImageRequest,
  dockerfile: string,
  definition: ImageDefinition | undefined,
): string {
  const beside = dirname(dockerfile);
  if (definition !== undefined) return resolve(beside, definition.context);
  return resolve(context ?? beside);
}

function toPlatform(asked: string | undefined, definition: ImageDefinition | undefined): string {
  const platform = definition?.platform ?? asked ?? defaultPlatform;
  if (asked === undefined || asked === platform) return platform;
  throw imageError("image.platform-refused", {
    subject: "--platform",
    expected: `${platform}, the one that image.yaml declares`,
    got: asked,
  });
}

/** BuildKit takes `<Dockerfile>.dockerignore` instead of `.dockerignore`; the classic builder does not know it. */
function shadowFindings(dockerfile: string, file: string): ImageFinding[] {
  if (!existsSync(`${dockerfile}.dockerignore`)) return [];
  const expected = "one .dockerignore, at the root of the context";
  return [
    {
      code: "image.dockerignore-shadowed",
      file: `${file}.dockerignore`,
      line: 0,
      expected,
      got: basename(`${file}.dockerignore`),
    },
  ];
}

function deniedFindings(
  plan: BuildPlan,
  definition: ImageDefinition | undefined,
  file: string,
): ImageFinding[] {
  const deny = definition?.deny ?? [];
  const all = plan.frontend === undefined ? plan.references : [plan.frontend, ...plan.references];
  return all
    .filter(({ text }) => isDenied(text, deny))
    .map(({ text }) => ({
      code: "image.denied",
      file,
      line: 0,
      expected: "an image that is not on the deny list",
      got: text,
    }));
}

function toShownPath(context: string, path: string): string {
  const below = relative(context, path);
  return below.startsWith(`..${sep}`) ? path : below.split(sep).join("/");
}
