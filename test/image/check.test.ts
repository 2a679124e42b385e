// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are Dockerfile variables

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkFleet } from "../../src/image/check-fleet.ts";
import { isDenied } from "../../src/image/deny-list.ts";
import { hashInput } from "../../src/image/hash-input.ts";
import { checkImage } from "../../src/image/image-closure.ts";
import { planImage } from "../../src/image/planned-image.ts";
import { parseReference } from "../../src/image/reference.ts";
import { digest, from, idOf, imageYaml, repository, scratch, syntax, type Tree } from "./support/scratch.ts";

function plan(folder: string) {
  return planImage({ dockerfile: join(folder, "docker/x/Dockerfile"), buildArguments: new Map() });
}

function check(tree: Tree): string[] {
  return checkImage(plan(scratch(tree))).map(({ code, file, line }) => `${code} ${file}:${line}`);
}

function dockerfile(lines: string, yaml = "inputs: [app/]"): Tree {
  const definition = `schema: sealpack/image/v1\ncontext: ../..\nplatform: linux/amd64\n${yaml}\n`;
  return {
    ...repository,
    "docker/x/Dockerfile": `${syntax}\n${from}\n${lines}\n`,
    "docker/x/image.yaml": definition,
  };
}

describe("image check", () => {
  it("finds nothing wrong with a sound image", () => {
    expect(check(repository)).toEqual([]);
  });

  it.each<[string, Tree, ...string[]]>([
    [
      "an input that is not audited",
      {
        ...repository,
        "docker/x/image.yaml": imageYaml.replace("[app/]", "[app/a.txt, app/run.sh, app/link]"),
      },
      "image.input-not-audited app/sub/b.txt:0",
    ],
    [
      "an entry that is no input",
      { ...repository, "docker/x/image.yaml": imageYaml.replace("[app/]", "[app/, other.txt]") },
      "image.input-stale docker/x/image.yaml:4",
    ],
    [
      "a file that .dockerignore makes visible",
      {
        ...dockerfile("COPY app /a", "inputs: [app/a.txt, app/run.sh, app/link, app/sub/]"),
        ".dockerignore": "",
      },
      "image.input-not-audited app/secret:0",
    ],
    [
      "a derived folder that is not read",
      dockerfile("COPY app /a", "inputs: [app/]\nderived: [{ path: vendor, from: [pins.lock] }]"),
      "image.derived-stale docker/x/image.yaml:0",
    ],
    [
      "a derived folder from nothing",
      dockerfile(
        "COPY app /a\nCOPY vendor /v",
        "inputs: [app/]\nderived: [{ path: vendor, from: [none.lock] }]",
      ),
      "image.source-missing docker/x/image.yaml:5",
    ],
    [
      "a denied base",
      dockerfile("COPY app /a", `inputs: [app/]\ndeny: ["debian:12"]`),
      "image.denied docker/x/Dockerfile:0",
    ],
    [
      "no image.yaml",
      { Dockerfile: "x", "docker/x/Dockerfile": `${syntax}\n${from}\n` },
      "image.definition-missing image.yaml:0",
    ],
    ["COPY --chmod", dockerfile("COPY --chmod=755 app /a"), "image.not-common docker/x/Dockerfile:3"],
    ["COPY --link", dockerfile("COPY --link app /a"), "image.not-common docker/x/Dockerfile:3"],
    [
      "RUN --mount",
      dockerfile("COPY app /a\nRUN --mount=type=tmpfs,target=/t ls"),
      "image.not-common docker/x/Dockerfile:4",
    ],
    [
      "a Dockerfile's own .dockerignore",
      { ...repository, "docker/x/Dockerfile.dockerignore": "" },
      "image.dockerignore-shadowed docker/x/Dockerfile.dockerignore:0",
    ],
    [
      "a missing source",
      dockerfile("COPY app /a\nCOPY none /n"),
      "image.source-missing docker/x/Dockerfile:4",
    ],
    [
      "a glob without match",
      dockerfile("COPY app /a\nCOPY app/*.md /n"),
      "image.source-missing docker/x/Dockerfile:4",
    ],
    [
      "a glob that a builder may read differently",
      dockerfile("COPY app /a\nCOPY app/[!a] /n"),
      "image.source-glob docker/x/Dockerfile:4",
    ],
    [
      "a source that is a link",
      dockerfile("COPY app /a\nCOPY app/link /n"),
      "image.source-link docker/x/Dockerfile:4",
    ],
    [
      "a glob that matches a link",
      dockerfile("COPY app /a\nCOPY app/l* /n"),
      "image.source-link docker/x/Dockerfile:4",
    ],
    [
      "a source through a link",
      { ...dockerfile("COPY app /a\nCOPY there/a.txt /n"), there: { link: "app" } },
      "image.source-link docker/x/Dockerfile:4",
    ],
    [
      "an ignored source",
      dockerfile("COPY app /a\nCOPY app/secret /n"),
      "image.source-ignored docker/x/Dockerfile:4",
    ],
    [
      "a file as a folder",
      dockerfile("COPY app /a\nCOPY app/a.txt/b /n"),
      "image.source-missing docker/x/Dockerfile:4",
    ],
    [
      ".git in the context",
      {
        ...dockerfile("COPY . .", "inputs: [app/, docker/, .dockerignore, other.txt, pins.lock]"),
        ".git/HEAD": "x",
      },
      "image.git-folder .git:0",
    ],
    [
      "a worktree's .git file",
      {
        ...dockerfile("COPY . .", "inputs: [app/, docker/, .dockerignore, other.txt, pins.lock]"),
        ".git": "gitdir: x",
      },
      "image.git-folder .git:0",
    ],
    [
      "a rule that builders read differently",
      { ...dockerfile("COPY app /a", "inputs: [app/a.txt]"), ".dockerignore": "app\n!*/a.txt\n" },
      "image.dockerignore-differs app/a.txt:0",
      "image.input-stale docker/x/image.yaml:4",
    ],
  ])("%s", (_name, tree, ...expected) => {
    expect(check(tree).sort()).toEqual(expected.sort());
  });

  it("takes BuildKit's flags where image.yaml says so", () => {
    expect(check(dockerfile("COPY --link app /a", "builders: buildkit\ninputs: [app/]"))).toEqual([]);
  });

  it("takes the whole context, links and all, and walks a glob name by name", () => {
    const inputs = (lines: string) => {
      const folder = scratch(dockerfile(lines));
      return checkImage(plan(folder))
        .filter(({ code }) => code === "image.input-not-audited")
        .map(({ file }) => file);
    };
    expect(inputs("COPY . .")).toEqual([
      ".dockerignore",
      "docker/x/Dockerfile",
      "docker/x/image.yaml",
      "other.txt",
      "pins.lock",
    ]);
    expect(inputs("COPY app /a\nCOPY o*.txt p?ns.lock /x/")).toEqual(["other.txt", "pins.lock"]);
    expect(inputs("COPY app /a\nCOPY */x/Dock* /x/")).toEqual(["docker/x/Dockerfile"]);
  });

  it("tells everything at once, with file and line, in the order of the file", () => {
    const found = check({
      ...dockerfile("COPY --from=b:1 x /y\nCOPY none /n\nADD http://example.org/x /y\nCOPY app /a"),
      "app/new": "x",
      "docker/x/image.yaml": imageYaml.replace("[app/]", "[app/a.txt]"),
    });
    expect(found).toEqual([
      "image.input-not-audited app/link:0",
      "image.input-not-audited app/new:0",
      "image.input-not-audited app/run.sh:0",
      "image.input-not-audited app/sub/b.txt:0",
      "image.copy-from-not-pinned docker/x/Dockerfile:3",
      "image.source-missing docker/x/Dockerfile:4",
      "image.download-not-pinned docker/x/Dockerfile:5",
      "image.derived-stale docker/x/image.yaml:0",
    ]);
  });

  it("a file that cannot be read or changes is told apart from one that differs", () => {
    const folder = scratch({ a: "a", l: { link: "a" } });
    expect(hashInput(join(folder, "a"), "a")).toBe(createHash("sha256").update("a").digest("hex"));
    expect(() => hashInput("/proc/self/mem", "m")).toThrowError(
      expect.objectContaining({ code: "image.input-unreadable", exit: 3 }),
    );
    for (const path of [join(folder, "l"), join(folder, "none"), folder, "/proc/self/status"]) {
      expect(() => hashInput(path, "x")).toThrowError(
        expect.objectContaining({ code: "image.input-changed", exit: 3 }),
      );
    }
  });

  it("a base that is not pinned stops the ID before anything is listed", () => {
    const folder = scratch({
      ...repository,
      "docker/x/Dockerfile": `${syntax}\nFROM debian:12\nCOPY none /n\n`,
    });
    expect(() => idOf(folder)).toThrowError(
      expect.objectContaining({
        code: "image.base-not-pinned",
        details: { findings: [expect.objectContaining({ line: 2 })] },
      }),
    );
  });

  it("a FIFO and a socket are findings, never a hang", async () => {
    const folder = scratch(dockerfile("COPY app /a"));
    execFileSync("mkfifo", [join(folder, "app/fifo")]);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(folder, "app/socket"), resolve));
    const found = checkImage(plan(folder)).map(({ code, file }) => `${code} ${file}`);
    await new Promise((resolve) => server.close(resolve));
    expect(found).toEqual(["image.special-file app/fifo", "image.special-file app/socket"]);
  });

  it("a name that is not UTF-8 is refused", () => {
    const folder = scratch(dockerfile("COPY app /a"));
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/app/`), Buffer.from([0xff])]), "x");
    expect(() => checkImage(plan(folder))).toThrowError(
      expect.objectContaining({ code: "image.path-not-utf8" }),
    );
  });
});

describe("references", () => {
  it.each([
    ["debian", { name: "debian" }],
    ["debian:12", { name: "debian", tag: "12" }],
    [
      `localhost:5000/a/b_c:1.7@sha256:${digest}`,
      { name: "localhost:5000/a/b_c", tag: "1.7", digest: `sha256:${digest}` },
    ],
  ])("reads %s", (text, expected) => {
    expect(parseReference(text)).toEqual({ text, ...expected });
  });

  it.each([
    "",
    "A",
    "a b",
    "a@sha256:abc",
    `a@sha256:${"A".repeat(64)}`,
    `a@sha512:${"a".repeat(128)}`,
    "a:",
    "a//b",
    "a:b:c",
    "-a",
    "a".repeat(600),
    `a@sha256:${digest}x`,
    `a@sha256:${digest}\n`,
  ])("refuses %s", (text) => expect(parseReference(text)).toBeUndefined());

  it("compares a denied image by any part of its reference", () => {
    const deny = ["paperclip-runner-e2e-20260826-v2", `sha256:${digest}`];
    for (const image of [
      "paperclip-runner-e2e-20260826-v2",
      "x.org/a:paperclip-runner-e2e-20260826-v2",
      "x/paperclip-runner-e2e-20260826-v2:1",
      `a@sha256:${digest}`,
    ]) {
      expect([image, isDenied(image, deny)]).toEqual([image, true]);
    }
    for (const image of ["paperclip-runner-e2e-20260826-v3", "a", "a:paperclip-runner-e2e-20260826-v22", ""])
      expect(isDenied(image, deny)).toBe(false);
  });
});

describe("fleet pins", () => {
  const fleet = `schema: sealpack/fleet/v1
packs: [packs/a]
variables: { CODEX_VERSION: "@openai/codex", CURSOR_BUILD: cursor }
archives:
  gh: { version: 2.101.0, url: "https://example.org/v{version}/gh_{version}.tgz", sha256: ${digest}, commands: { gh: bin/gh } }
  cursor: { version: 2026.09.18-9a7762b, url: "https://example.org/lab/{version}/x.tgz", sha256: ${digest}, commands: { cursor-agent: cursor-agent } }
`;
  const packages = JSON.stringify({
    dependencies: { "@openai/codex": "0.156.0", "@google/gemini-cli": "0.60.0" },
  });
  function compare(other: string) {
    const folder = scratch({
      ...repository,
      "docker/x/fleet.yaml": fleet,
      "packs/a/package.json": packages,
      other,
    });
    return checkFleet(plan(folder), join(folder, "other"));
  }

  it.each([
    [
      "a package",
      "RUN npm i -g @openai/codex@0.155.0\n",
      "@openai/codex 0.156.0, as this fleet pins it",
      "0.155.0",
      1,
    ],
    [
      "a package by variable",
      "FROM x\nARG G=0.59.0\nRUN npm i -g @google/gemini-cli@${G}\n",
      "@google/gemini-cli 0.60.0, as this fleet pins it",
      "0.59.0",
      3,
    ],
    [
      "a declared variable",
      "FROM x\nENV A=1 CODEX_VERSION=0.1.0\n",
      "@openai/codex 0.156.0, as this fleet pins it",
      "0.1.0",
      2,
    ],
    [
      "an archive's URL",
      "RUN curl https://example.org/v2.100.0/gh_2.100.0.tgz\n",
      "gh 2.101.0, as this fleet pins it",
      "2.100.0",
      1,
    ],
    [
      "an archive's URL by variable",
      "ARG V=1.0\nADD https://example.org/lab/$V/x.tgz /\n",
      "cursor 2026.09.18-9a7762b, as this fleet pins it",
      "1.0",
      2,
    ],
  ])("names %s that differs", (_name, text, expected, got, line) => {
    expect(compare(text).findings).toEqual([
      { code: "image.fleet-pin-differs", file: expect.any(String), line, expected, got },
    ]);
  });

  it("is content with equal pins, and says what it compared and what is not there", () => {
    const text =
      "# npm i @openai/codex@0.1.0\nRUN npm i @openai/codex@0.156.0 x@openai/codex@1 && curl https://example.org/v2.101.0/gh_2.101.0.tgz\n";
    expect(compare(text)).toEqual({
      findings: [],
      compared: ["@openai/codex", "gh"],
      absent: ["@google/gemini-cli", "cursor"],
    });
  });

  it("does not call a file equal in which it recognises nothing", () => {
    expect(() => compare("FROM x\n")).toThrowError(
      expect.objectContaining({ code: "image.fleet-nothing-compared", exit: 3 }),
    );
  });
});
