import { createHash } from "node:crypto";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { digest, repository, scratch, syntax } from "../image/support/scratch.ts";

async function run(cwd: string, ...args: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const write = {
    stdout: (text: string) => void out.push(text),
    stderr: (text: string) => void err.push(text),
  };
  const exit = await runCli(args, {
    ...write,
    env: {},
    cwd,
    home: cwd,
    isTerminal: false,
    signal: new AbortController().signal,
  });
  return { exit, stdout: out.join(""), stderr: err.join("") };
}

describe("sealpack image id", () => {
  it("prints the ID and nothing else, by name, by folder and by path", async () => {
    const folder = scratch(repository);
    const byName = await run(folder, "image", "id", "x");
    expect(byName).toEqual({ exit: 0, stdout: expect.stringMatching(/^[0-9a-f]{64}\n$/), stderr: "" });
    for (const target of ["docker/x", "docker/x/Dockerfile", join(folder, "docker/x/Dockerfile")]) {
      expect(await run(folder, "image", "id", target)).toEqual(byName);
    }
  });

  it("--explain prints the hashed text, then the ID", async () => {
    const { stdout } = await run(
      scratch(repository),
      "image",
      "id",
      "x",
      "--explain",
      "--build-arg",
      "LEVEL=2",
    );
    const lines = stdout.trimEnd().split("\n");
    const id = lines.pop();
    expect(
      createHash("sha256")
        .update(`${lines.join("\n")}\n`)
        .digest("hex"),
    ).toBe(id);
    expect(lines).toContain('"argument"\t"LEVEL"\t"2"');
  });

  it("--json is one document", async () => {
    const { stdout } = await run(scratch(repository), "image", "id", "x", "--json", "--explain");
    const document = JSON.parse(stdout);
    expect(document).toMatchObject({ tag: `e2e-content-${document.id}`, platform: "linux/amd64" });
    expect(document.records).toHaveLength(9);
  });

  it("takes the candidates by flag or by build argument", async () => {
    const folder = scratch(repository);
    const flag = await run(folder, "image", "id", "x", "--candidate-providers=pi,cursor");
    expect(await run(folder, "image", "id", "x", "--build-arg", "CANDIDATES=cursor,pi")).toEqual(flag);
    expect(flag.stdout).not.toBe((await run(folder, "image", "id", "x")).stdout);
  });

  it.each([
    [["image", "id", "none"], 2, "image.file-unreadable"],
    [["image", "id", "x", "--build-arg", "LEVEL"], 2, "cli.usage"],
    [["image", "id", "x", "--build-arg", "LEVEL=1", "--build-arg", "LEVEL=2"], 2, "cli.usage"],
    [["image", "id", "x", "--build-arg", "OTHER=1"], 2, "image.argument-undeclared"],
    [["image", "id", "x", "--candidate-providers", "x"], 2, "image.candidates-invalid"],
    [["image", "id", "x", "--platform", "linux/arm64"], 2, "image.platform-refused"],
  ] as const)("%j ends with %i, %s", async (args, exit, code) => {
    const result = await run(scratch(repository), ...args);
    expect([result.exit, result.stdout]).toEqual([exit, ""]);
    expect(result.stderr).toContain(code);
  });
});

describe("sealpack image check", () => {
  it("is sound or names what is wrong, with file and line", async () => {
    expect(await run(scratch(repository), "image", "check", "x")).toEqual({
      exit: 0,
      stdout: "sound\n",
      stderr: "",
    });
    const folder = scratch({
      ...repository,
      "docker/x/Dockerfile": `${syntax}\nFROM debian:12\nRUN --mount=from=a,target=/b x\n`,
    });
    const { exit, stdout } = await run(folder, "image", "check", "x");
    expect(exit).toBe(1);
    expect(stdout).toContain(
      "docker/x/Dockerfile:2: image.base-not-pinned: expected an image by @sha256:<64 hex>, got debian:12\n",
    );
    expect(stdout).toContain("docker/x/Dockerfile:3: image.mount-from-not-pinned");
    const json = JSON.parse((await run(folder, "image", "check", "x", "--json")).stdout);
    expect(json.ok).toBe(false);
    expect(json.findings[0]).toMatchObject({
      code: "image.base-not-pinned",
      file: "docker/x/Dockerfile",
      line: 2,
    });
  });

  it("--fleet names pins that differ", async () => {
    const fleet = `schema: sealpack/fleet/v1\narchives: { gh: { version: 2.0.0, url: "https://example.org/{version}.tgz", sha256: ${digest}, commands: {} } }\n`;
    const folder = scratch({
      ...repository,
      "docker/x/fleet.yaml": fleet,
      Dockerfile: "RUN curl https://example.org/1.0.0.tgz\n",
    });
    const { exit, stdout } = await run(folder, "image", "check", "x", "--fleet", "Dockerfile");
    expect(exit).toBe(1);
    expect(stdout).toMatch(/Dockerfile:1: image.fleet-pin-differs: expected gh 2.0.0.*got 1.0.0/);
    expect(stdout).toContain("Update both together.");
  });
});
