import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildImage } from "../../src/image/build-image.ts";
import { type BuiltImage, diffBuiltImage, toDigestReference } from "../../src/image/built-image.ts";
import type { Docker } from "../../src/image/docker.ts";
import { imageError } from "../../src/image/errors.ts";
import { identifyImage } from "../../src/image/image-closure.ts";
import { planImage } from "../../src/image/planned-image.ts";
import { printExpected } from "../../src/manifest/expected.ts";
import { printManifest } from "../../src/manifest/print-manifest.ts";
import { sealManifest } from "../../src/manifest/seal-manifest.ts";
import type { Payload } from "../../src/manifest/types.ts";
import { imageYaml, repository, scratch, type Tree } from "./support/scratch.ts";

const path = "PATH=/usr/local/bin:/usr/bin";
const sound: BuiltImage = {
  id: "sha256:1",
  platform: "linux/amd64",
  digests: ["localhost:5000/r@sha256:2"],
  env: [path],
  labels: { id: "a" },
  user: "u",
  entrypoint: ["/e"],
  cmd: ["c"],
  onBuild: [],
  history: ["RUN x"],
};
const token = `ghp_${"aB3dE6gH9".repeat(4)}`;

describe("what is read back from an image", () => {
  const expected = { reference: "r", platform: "linux/amd64", labels: { id: "a" }, base: sound };
  it("finds nothing wrong with a sound one", () => expect(diffBuiltImage(sound, expected)).toEqual([]));

  it.each<[string, Partial<BuiltImage>, string]>([
    ["the platform", { platform: "linux/arm64" }, "image.built-platform"],
    ["a label", { labels: { id: "b" } }, "image.built-label"],
    ["a missing label", { labels: {} }, "image.built-label"],
    ["ENTRYPOINT", { entrypoint: [] }, "image.built-config"],
    ["CMD", { cmd: ["d"] }, "image.built-config"],
    ["USER", { user: "root" }, "image.built-config"],
    ["PATH", { env: [`${path}:/x`] }, "image.built-config"],
    ["a secret in ENV", { env: [path, `TOKEN=${token}`] }, "image.built-secret"],
    ["a secret in a label", { labels: { id: "a", x: token } }, "image.built-secret"],
    [
      "a secret among the build arguments",
      { history: [`|1 TOKEN=${token} /bin/sh -c x`] },
      "image.built-secret",
    ],
  ])("%s", (_name, change, code) => {
    const findings = diffBuiltImage({ ...sound, ...change }, expected);
    expect(findings.map((finding) => finding.code)).toEqual([code]);
    expect(JSON.stringify(findings)).not.toContain(token);
  });

  it("a PATH that does not lead to the commands, and a base with triggers", () => {
    const { base: _, ...alone } = expected;
    expect(diffBuiltImage({ ...sound, env: ["PATH=/usr/bin"] }, alone).map(({ code }) => code)).toEqual([
      "image.built-path",
    ]);
    const base = { ...sound, onBuild: ["COPY . /"] };
    expect(diffBuiltImage(sound, { ...expected, base }).map(({ code }) => code)).toEqual([
      "image.built-config",
    ]);
  });

  it("takes the digest of the repository that was asked for", () => {
    expect(toDigestReference(sound, "localhost:5000/r:t")).toBe("localhost:5000/r@sha256:2");
    expect(() => toDigestReference(sound, "localhost:5000/other:t")).toThrowError(
      expect.objectContaining({ code: "image.no-digest" }),
    );
  });
});

const payload: Payload = {
  name: "p",
  target: { platform: "linux", architecture: "x64", libc: "glibc" },
  sourceRevision: "1".repeat(40),
  release: true,
  lock: { manager: "npm", path: "package-lock.json", sha256: "a".repeat(64) },
  interpreter: {},
  components: {},
  commands: {},
  bridges: {},
  bridgeDigest: "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
  prerequisites: {},
  candidates: {},
  requires: { elfInterpreters: [], libraries: [], glibc: "", glibcxx: "", cpu: [] },
  tree: { digest: "b".repeat(64), entries: 1, bytes: 1 },
};

const toSha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const pinned = toSha256("lock");

const tree: Tree = {
  ...repository,
  "docker/x/image.yaml": `${imageYaml}build: { pack: packs/p, vendor: docker/x/vendor, base: BASE, contentId: { argument: ID, label: id }, revision: { argument: REVISION, label: revision }, lock: LOCK, manifest: /m.json }\n`,
  "docker/x/Dockerfile": `${repository["docker/x/Dockerfile"]}ARG ID\nARG LOCK=${pinned}\n`,
  "packs/p/pack.yaml": `schema: sealpack/pack/v1\nname: p\nlock: { path: package-lock.json, sha256: ${pinned} }\ntargets: [linux-x64]\ncommands: { c: { executable: { linux-x64: { path: node_modules/c/c, sha256: ${toSha256("command")} } }, version: "1" } }\n`,
  "docker/x/vendor/sealpack.mjs": "tool",
};

interface Script {
  /** What the registry says of the tag: an image, that there is none, or nothing. */
  readonly tag: "image" | "none" | "silent";
  readonly image?: Partial<BuiltImage>;
  readonly inner?: Partial<Payload>;
}

/** An engine and a registry by script, which remember what they were asked for. */
function scriptedDocker(script: Script, id: () => string): Docker & { readonly calls: string[] } {
  const calls: string[] = [];
  const image = () => ({ ...sound, labels: { id: id(), revision: "1".repeat(40) }, ...script.image });
  const answer = (args: readonly string[]): { ok: boolean; stdout: string; stderr: string } => {
    calls.push(args.slice(0, 3).join(" "));
    const said = (stdout: string) => ({ ok: true, stdout, stderr: "" });
    if (args[0] === "pull" && script.tag === "none")
      return { ok: false, stdout: "", stderr: "Error: manifest unknown: manifest unknown" };
    if (args[0] === "pull" && script.tag === "silent")
      return { ok: false, stdout: "", stderr: "dial tcp: connection refused" };
    if (args[0] === "image") {
      const { platform, env, labels, user, entrypoint, cmd, digests } = image();
      const [Os, Architecture] = platform.split("/");
      return said(
        JSON.stringify([
          {
            Id: "sha256:1",
            Os,
            Architecture,
            RepoDigests: digests,
            Config: { Env: env, Labels: labels, User: user, Entrypoint: entrypoint, Cmd: cmd },
          },
        ]),
      );
    }
    if (args[0] === "history") return said('"RUN x"\n');
    if (args[0] === "create") return said("c1\n");
    if (args[0] === "cp")
      writeFileSync(args[2] as string, printManifest(sealManifest({ ...payload, ...script.inner })));
    return said("");
  };
  return {
    calls,
    attempt: async (args) => answer(args),
    run: async (args) => {
      const { ok, stdout, stderr } = answer(args);
      if (!ok)
        throw imageError("image.docker-failed", { subject: "docker", expected: "success", got: stderr });
      return stdout;
    },
    follow: async (args) => void answer(args),
  };
}

async function run(
  script: Script,
  options: { expected?: boolean; tool?: string; push?: boolean; build?: boolean } = {},
) {
  const folder = scratch(tree);
  if (options.expected !== false) {
    mkdirSync(join(folder, "manifests/p"), { recursive: true });
    writeFileSync(join(folder, "manifests/p/linux-x64.json"), printExpected(payload));
  }
  const planned = planImage({ dockerfile: join(folder, "docker/x/Dockerfile"), buildArguments: new Map() });
  const { id } = identifyImage(planned);
  const docker = scriptedDocker(script, () => id);
  const result = buildImage({
    planned,
    tag: "localhost:5000/r",
    push: options.push === true,
    build: options.build !== false,
    revision: "1".repeat(40),
    docker,
    programs: {
      writeTool: async (path) => writeFileSync(path, options.tool ?? "tool"),
      writeRunnerd: async () => false,
    },
    onStep: () => {},
    onOutput: () => {},
  });
  return { id, docker, result };
}

describe("image build", () => {
  it("adopts the image of the ID's tag and builds nothing", async () => {
    const { id, docker, result } = await run({ tag: "image", image: {} });
    expect(await result).toMatchObject({
      id,
      adopted: true,
      tag: `localhost:5000/r:e2e-content-${id}`,
      reference: "localhost:5000/r@sha256:2",
    });
    expect(docker.calls.some((call) => call.startsWith("build"))).toBe(false);
    expect(docker.calls).toContain("pull -q localhost:5000/r@sha256:2");
    expect(docker.calls.at(-1)).toBe("rm -f c1");
  });

  it.each<[string, Script, { expected?: boolean }, string]>([
    ["of another ID", { tag: "image", image: { labels: { id: "f".repeat(64) } } }, {}, "image.built-label"],
    ["of another platform", { tag: "image", image: { platform: "linux/arm64" } }, {}, "image.built-platform"],
    [
      "with another manifest",
      { tag: "image", inner: { tree: { digest: "c".repeat(64), entries: 1, bytes: 1 } } },
      {},
      "image.manifest-differs",
    ],
    ["that is no release", { tag: "image", inner: { release: false } }, {}, "image.manifest-no-release"],
    ["of which nothing is committed", { tag: "image" }, { expected: false }, "image.expected-missing"],
    ["that a silent registry may or may not have", { tag: "silent" }, {}, "image.docker-failed"],
  ])("does not adopt, and never builds over, an image %s", async (_name, script, options, code) => {
    const { docker, result } = await run(script, options);
    await expect(result).rejects.toMatchObject({ code });
    expect(docker.calls.some((call) => call.startsWith("build") || call.startsWith("push"))).toBe(false);
  });

  it("--no-build adopts, or says that there is nothing", async () => {
    const none = await run({ tag: "none" }, { build: false });
    expect(await none.result).toBeUndefined();
    expect(none.docker.calls).toHaveLength(1);
    expect(await (await run({ tag: "image" }, { build: false })).result).toMatchObject({ adopted: true });
  });

  it("builds where there is none, reads it back, and pushes", async () => {
    const { docker, result } = await run({ tag: "none" }, { push: true });
    expect(await result).toMatchObject({ adopted: false, reference: "localhost:5000/r@sha256:2" });
    expect(docker.calls).toContain("build --network none");
    expect(docker.calls.findIndex((call) => call.startsWith("cp"))).toBeLessThan(
      docker.calls.findIndex((call) => call.startsWith("push")),
    );
  });

  it.each<[string, Script, { tool?: string }, string]>([
    ["a vendored tool that is not the sources'", { tag: "none" }, { tool: "other" }, "vendor.tool-stale"],
    [
      "a manifest that is not the committed one",
      { tag: "none", inner: { tree: { digest: "c".repeat(64), entries: 1, bytes: 1 } } },
      {},
      "image.manifest-differs",
    ],
    [
      "a credential in the image",
      { tag: "none", image: { env: [path, `T=${token}`] } },
      {},
      "image.built-secret",
    ],
  ])("does not push %s", async (_name, script, options, code) => {
    const { docker, result } = await run(script, { ...options, push: true });
    await expect(result).rejects.toMatchObject({ code });
    expect(docker.calls.some((call) => call.startsWith("push"))).toBe(false);
  });
});

describe("the lock's digest (requirement D5)", () => {
  const plan = (request: Partial<Parameters<typeof planImage>[0]>, text: Tree = tree) =>
    planImage({
      dockerfile: join(scratch(text), "docker/x/Dockerfile"),
      buildArguments: new Map(),
      ...request,
    });

  it("by --lock-sha256 or by the build argument is one ID, another than the default's", () => {
    const other = toSha256("other");
    const ids = [
      plan({}),
      plan({ lock: { sha256: other } }),
      plan({ buildArguments: new Map([["LOCK", other]]) }),
      plan({ lock: { sha256: pinned } }),
    ].map((planned) => identifyImage(planned).id);
    expect(ids[1]).toBe(ids[2]);
    expect(ids[0]).toBe(ids[3]);
    expect(ids[0]).not.toBe(ids[1]);
  });

  it.each<[string, Partial<Parameters<typeof planImage>[0]>]>([
    ["empty", { buildArguments: new Map([["LOCK", ""]]) }],
    ["empty by flag", { lock: { sha256: "" } }],
    ["upper case", { lock: { sha256: "A".repeat(64) } }],
    ["two that differ", { lock: { sha256: pinned }, buildArguments: new Map([["LOCK", toSha256("other")]]) }],
    [
      "not the given lock's",
      { lock: { sha256: pinned, file: join(import.meta.dirname, "built-image.test.ts") } },
    ],
  ])("refuses one that is %s", (_name, request) => {
    expect(() => plan(request)).toThrowError(expect.objectContaining({ code: "image.lock-argument" }));
  });
});

it("the image of this repository declares what its files say", () => {
  const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
  const node = read("docker/daytona-runner/node.sha256").split(" ")[0];
  expect(read("packs/paperclip-runner/pack.yaml")).toContain(`sha256: ${node}`);
  const dockerfile = new URL("../../docker/daytona-runner/Dockerfile", import.meta.url).pathname;
  expect(planImage({ dockerfile, buildArguments: new Map() }).findings).toEqual([]);
});
