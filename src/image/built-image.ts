import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseManifest } from "../manifest/parse-manifest.ts";
import type { Manifest } from "../manifest/types.ts";
import { scanText } from "../pack/secrets/scan-text.ts";
import type { Docker } from "./docker.ts";
import { imageError } from "./errors.ts";
import type { ImageFinding } from "./image-finding.ts";

/** What an image says of itself, by `docker image inspect` and `history`. */
export interface BuiltImage {
  readonly id: string;
  readonly platform: string;
  /** `name@sha256:…`, for each registry that it was pulled from or pushed to. */
  readonly digests: readonly string[];
  readonly env: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly user: string;
  readonly entrypoint: readonly string[];
  readonly cmd: readonly string[];
  readonly onBuild: readonly string[];
  /** The commands that made its layers, build arguments with their values among them. */
  readonly history: readonly string[];
}

interface Inspected {
  readonly Id: string;
  readonly Os: string;
  readonly Architecture: string;
  readonly RepoDigests?: readonly string[] | null;
  readonly Config?: {
    readonly Env?: readonly string[] | null;
    readonly Labels?: Readonly<Record<string, string>> | null;
    readonly User?: string;
    readonly Entrypoint?: readonly string[] | null;
    readonly Cmd?: readonly string[] | null;
    readonly OnBuild?: readonly string[] | null;
  };
}

/** Reads an image that the engine holds. @throws image.docker-failed */
export async function readBuiltImage(docker: Docker, reference: string): Promise<BuiltImage> {
  const [inspected] = JSON.parse(await docker.run(["image", "inspect", reference])) as [Inspected];
  const history = await docker.run(["history", "--no-trunc", "--format", "{{json .CreatedBy}}", reference]);
  const { Id, Os, Architecture, RepoDigests, Config = {} } = inspected;
  return {
    id: Id,
    platform: `${Os}/${Architecture}`,
    digests: RepoDigests ?? [],
    env: Config.Env ?? [],
    labels: Config.Labels ?? {},
    user: Config.User ?? "",
    entrypoint: Config.Entrypoint ?? [],
    cmd: Config.Cmd ?? [],
    onBuild: Config.OnBuild ?? [],
    history: history
      .split("\n")
      .filter(Boolean)
      .map((line) => String(JSON.parse(line))),
  };
}

/** The pack's manifest out of the image, from a container that never runs. @throws image.docker-failed, manifest.* */
export async function readInnerManifest(docker: Docker, reference: string, path: string): Promise<Manifest> {
  const container = (await docker.run(["create", "--network", "none", reference, "/none"])).trim();
  const scratch = await mkdtemp(join(tmpdir(), "sealpack-manifest-"));
  try {
    await docker.run(["cp", `${container}:${path}`, join(scratch, "sealpack.json")]);
    return parseManifest(await readFile(join(scratch, "sealpack.json")));
  } finally {
    await docker.attempt(["rm", "-f", container]);
    await rm(scratch, { recursive: true, force: true });
  }
}

export interface ExpectedImage {
  readonly reference: string;
  readonly platform: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The base that it was built on; undefined where it is not at hand. */
  readonly base?: BuiltImage;
}

/** What is wrong with an image: platform, labels, PATH, what it changed of its base, and credentials in what it says (requirement B12). */
export function diffBuiltImage(image: BuiltImage, expected: ExpectedImage): readonly ImageFinding[] {
  const find = (code: ImageFinding["code"], wanted: string, got: string): ImageFinding[] =>
    wanted === got ? [] : [{ code, file: expected.reference, line: 0, expected: wanted, got }];
  const path = image.env.find((entry) => entry.startsWith("PATH="))?.slice(5) ?? "";
  const { base } = expected;
  return [
    ...find("image.built-platform", expected.platform, image.platform),
    ...Object.entries(expected.labels).flatMap(([name, value]) =>
      find("image.built-label", `${name}=${value}`, `${name}=${image.labels[name] ?? ""}`),
    ),
    ...(path.split(":").includes("/usr/local/bin")
      ? []
      : find("image.built-path", "/usr/local/bin in PATH", path || "no PATH")),
    ...(base === undefined
      ? []
      : [
          ...find(
            "image.built-config",
            `ENTRYPOINT ${JSON.stringify(base.entrypoint)}`,
            `ENTRYPOINT ${JSON.stringify(image.entrypoint)}`,
          ),
          ...find(
            "image.built-config",
            `CMD ${JSON.stringify(base.cmd)}`,
            `CMD ${JSON.stringify(image.cmd)}`,
          ),
          ...find("image.built-config", `USER ${base.user}`, `USER ${image.user}`),
          ...find(
            "image.built-config",
            `PATH of the base: ${pathOf(base)}`,
            `PATH of the base: ${pathOf(image)}`,
          ),
          ...find(
            "image.built-config",
            "no ONBUILD in the base",
            base.onBuild.length === 0 ? "no ONBUILD in the base" : base.onBuild.join("; "),
          ),
        ]),
    ...secretFindings(image, expected.reference),
  ];
}

function pathOf({ env }: BuiltImage): string {
  return env.find((entry) => entry.startsWith("PATH=")) ?? "";
}

/** A finding names the place and the shape, never the secret. */
function secretFindings({ env, labels, history }: BuiltImage, reference: string): ImageFinding[] {
  const places: [string, string][] = [
    ...env.map((entry): [string, string] => [`ENV ${entry.split("=")[0]}`, entry]),
    ...Object.entries(labels).map(([name, value]): [string, string] => [`LABEL ${name}`, `${name}=${value}`]),
    ...history.map((entry, index): [string, string] => [`history entry ${index + 1}`, entry]),
  ];
  return places.flatMap(([place, text]) =>
    scanText(text).map(
      ({ name }): ImageFinding => ({
        code: "image.built-secret",
        file: reference,
        line: 0,
        expected: `no credential in ${place}`,
        got: name,
      }),
    ),
  );
}

/** `name@sha256:…` of the repository that `reference` names. @throws image.no-digest */
export function toDigestReference(image: BuiltImage, reference: string): string {
  const name = reference.replace(/:[^:/]*$/, "");
  const found = image.digests.find((digest) => digest.startsWith(`${name}@`));
  if (found !== undefined) return found;
  throw imageError("image.no-digest", {
    subject: reference,
    expected: `a digest in ${name}`,
    got: image.digests.join(", ") || "none",
  });
}
