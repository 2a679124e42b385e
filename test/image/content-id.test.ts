import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  contentIdFormat,
  type ImageRecord,
  printRecords,
  toContentId,
  toImageTag,
} from "../../src/image/content-id.ts";
import {
  digest,
  from,
  identify,
  idOf,
  imageYaml,
  repository,
  scratch,
  syntax,
  writeTree,
} from "./support/scratch.ts";

/** Rewrites a file in place. */
function edit(folder: string, path: string, change: (text: string) => string): void {
  writeFileSync(join(folder, path), change(readFileSync(join(folder, path), "utf8")));
}

describe("the content ID", () => {
  it("is the SHA-256 of the printed records, and of nothing else", () => {
    const { id, records } = identify(scratch(repository));
    expect(id).toMatch(/^[0-9a-f]{64}$/);
    expect(createHash("sha256").update(printRecords(records)).digest("hex")).toBe(id);
    expect(toImageTag(id)).toBe(`e2e-content-${id}`);
  });

  it("has this form, and changes only with its version", () => {
    const { records } = identify(scratch(repository));
    const sha = (text: string) => createHash("sha256").update(text).digest("hex");
    const dockerfile = sha(repository["docker/x/Dockerfile"] as string);
    expect(printRecords(records).split("\n").slice(0, -1)).toEqual([
      "sealpack-image-id/v1",
      `"derived"\t"docker/x/vendor"\t"pins.lock"\t"f"\t"${sha("1")}"`,
      `"dockerfile"\t"${dockerfile}"`,
      `"frontend"\t"docker/dockerfile:1.7@sha256:${digest}"`,
      `"image"\t"debian:12@sha256:${digest}"`,
      `"input"\t"app/a.txt"\t"f"\t"${sha("a")}"`,
      `"input"\t"app/link"\t"l"\t"sub/b.txt"`,
      `"input"\t"app/run.sh"\t"x"\t"${sha("#!/bin/sh\n")}"`,
      `"input"\t"app/sub/b.txt"\t"f"\t"${sha("b")}"`,
      `"platform"\t"linux/amd64"`,
    ]);
  });

  it("keeps fields and records apart", () => {
    const base: ImageRecord[] = [["input", "a", "f", "b"]];
    const others: ImageRecord[][] = [
      [["input", "a\tf\tb", "f", ""]],
      [["input", 'a"\t"f', "f", "b"]],
      [["input", 'a"\n"input"\t"c', "f", "b"]],
      [["derived", "", "a", "f", "b"]],
      [["argument", "a", "b"]],
      [],
    ];
    const ids = [base, ...others].map(toContentId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(contentIdFormat).toContain("/v1");
  });
});

describe("what leaves the ID as it is", () => {
  it.each<[string, (folder: string) => void]>([
    ["an unrelated file", (folder) => writeFileSync(join(folder, "new.txt"), "x")],
    ["another tracked file", (folder) => edit(folder, "other.txt", () => "changed")],
    ["an ignored file", (folder) => edit(folder, "app/secret", () => "changed")],
    ["a comment in .dockerignore", (folder) => edit(folder, ".dockerignore", (text) => `# c\n${text}`)],
    [
      "the deny list",
      (folder) => edit(folder, "docker/x/image.yaml", (text) => text.replace("bad-20260826-v2", "worse")),
    ],
    ["times", (folder) => utimesSync(join(folder, "app/a.txt"), 1, 1)],
    [
      "group and other bits, as a umask of 077 leaves them",
      (folder) => {
        chmodSync(join(folder, "app/a.txt"), 0o600);
        chmodSync(join(folder, "app/run.sh"), 0o700);
        chmodSync(join(folder, "app/sub"), 0o700);
      },
    ],
    ["what the derived folder holds", (folder) => writeTree(folder, { "docker/x/vendor/pkg.tgz": "bytes" })],
    [
      "the order in which entries were made",
      (folder) => {
        renameSync(join(folder, "app"), join(folder, "old"));
        writeTree(folder, {
          "app/sub/b.txt": "b",
          "app/link": { link: "sub/b.txt" },
          "app/secret": "s",
          "app/run.sh": { x: "#!/bin/sh\n" },
          "app/a.txt": "a",
        });
        rmSync(join(folder, "old"), { recursive: true });
      },
    ],
  ])("%s", (_name, change) => {
    const folder = scratch(repository);
    const before = idOf(folder);
    change(folder);
    expect(idOf(folder)).toBe(before);
  });

  it("the path of the checkout, and how it was cloned", () => {
    const folder = scratch(repository);
    const git = (cwd: string, ...args: string[]) =>
      execFileSync(
        "git",
        [
          "-c",
          "user.name=a",
          "-c",
          "user.email=a@example.org",
          "-c",
          "commit.gpgsign=false",
          "-c",
          "safe.directory=*",
          ...args,
        ],
        { cwd, stdio: "pipe" },
      );
    git(folder, "init", "-q");
    git(folder, "add", "-A");
    git(folder, "commit", "-qm", "one");
    git(folder, "commit", "-qm", "two", "--allow-empty");
    const id = idOf(folder);
    const clones = scratch({});
    git(clones, "clone", "-q", folder, "full");
    git(clones, "clone", "-q", "--depth=1", `file://${folder}`, "shallow");
    const umask = process.umask(0o077);
    try {
      git(clones, "clone", "-q", folder, "umask077");
      process.umask(0o002);
      git(clones, "clone", "-q", folder, "umask002");
    } finally {
      process.umask(umask);
    }
    const ids = ["full", "shallow", "umask077", "umask002"].map((name) => idOf(join(clones, name)));
    expect(ids).toEqual([id, id, id, id]);
  });

  it("provenance arguments, and a counted one that is given its default", () => {
    const folder = scratch(repository);
    const given = (values: Record<string, string>) =>
      idOf(folder, { buildArguments: new Map(Object.entries(values)) });
    expect(given({ REVISION: "1".repeat(40) })).toBe(idOf(folder));
    expect(given({ LEVEL: "1" })).toBe(idOf(folder));
  });
});

describe("what changes the ID", () => {
  it.each<[string, (folder: string) => void]>([
    ["one byte of an input", (folder) => edit(folder, "app/sub/b.txt", () => "c")],
    ["an executable bit", (folder) => chmodSync(join(folder, "app/a.txt"), 0o755)],
    ["an executable bit less", (folder) => chmodSync(join(folder, "app/run.sh"), 0o644)],
    [
      "a link's target",
      (folder) => {
        unlinkSync(join(folder, "app/link"));
        symlinkSync("a.txt", join(folder, "app/link"));
      },
    ],
    [
      "a file in a link's place",
      (folder) => {
        unlinkSync(join(folder, "app/link"));
        writeFileSync(join(folder, "app/link"), "sub/b.txt");
      },
    ],
    ["a new file under a copied folder", (folder) => writeFileSync(join(folder, "app/new"), "")],
    ["a new empty folder under a copied folder", (folder) => mkdirSync(join(folder, "app/empty"))],
    ["a file less", (folder) => unlinkSync(join(folder, "app/a.txt"))],
    ["a file's name", (folder) => renameSync(join(folder, "app/a.txt"), join(folder, "app/b.txt"))],
    [".dockerignore making a file visible", (folder) => edit(folder, ".dockerignore", () => "")],
    [
      ".dockerignore hiding a file",
      (folder) => edit(folder, ".dockerignore", (text) => `${text}app/a.txt\n`),
    ],
    ["a vendored pin", (folder) => edit(folder, "pins.lock", () => "2")],
    [
      "the base's digest",
      (folder) =>
        edit(folder, "docker/x/Dockerfile", (text) =>
          text.replace(from, `FROM debian:12@sha256:${"b".repeat(64)}`),
        ),
    ],
    [
      "the frontend's digest",
      (folder) =>
        edit(folder, "docker/x/Dockerfile", (text) =>
          text.replace(syntax, syntax.replace(digest, "b".repeat(64))),
        ),
    ],
    ["the Dockerfile's text", (folder) => edit(folder, "docker/x/Dockerfile", (text) => `${text}# c\n`)],
    [
      "the platform",
      (folder) => edit(folder, "docker/x/image.yaml", (text) => text.replace("amd64", "arm64")),
    ],
  ])("%s", (_name, change) => {
    const folder = scratch(repository);
    const before = idOf(folder);
    change(folder);
    expect(idOf(folder)).not.toBe(before);
  });

  it("a counted argument and a candidate, each to an ID of its own", () => {
    const folder = scratch(repository);
    const ids = [
      idOf(folder),
      idOf(folder, { buildArguments: new Map([["LEVEL", "2"]]) }),
      idOf(folder, { buildArguments: new Map([["LEVEL", "3"]]) }),
      idOf(folder, { candidates: "pi" }),
      idOf(folder, { candidates: "cursor" }),
      idOf(folder, { candidates: "cursor,pi" }),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("--candidate-providers and the build argument are one selection, in any order", () => {
    const folder = scratch(repository);
    const argument = (value: string) => ({ buildArguments: new Map([["CANDIDATES", value]]) });
    const id = idOf(folder, { candidates: "pi,cursor" });
    expect(idOf(folder, { candidates: "cursor,pi" })).toBe(id);
    expect(idOf(folder, argument("pi,cursor"))).toBe(id);
    expect(idOf(folder, { ...argument("cursor,pi"), candidates: "pi,cursor" })).toBe(id);
    expect(idOf(folder, argument(""))).toBe(idOf(folder));
  });

  it.each([
    ["image.candidates-disagree", { candidates: "pi", buildArguments: new Map([["CANDIDATES", "cursor"]]) }],
    ["image.candidates-invalid", { candidates: "pi,pi" }],
    ["image.candidates-invalid", { candidates: "other" }],
    ["image.candidates-invalid", { candidates: "pi," }],
    ["image.candidates-invalid", { buildArguments: new Map([["CANDIDATES", "pi, cursor"]]) }],
    ["image.argument-undeclared", { buildArguments: new Map([["NOT_THERE", "1"]]) }],
    ["image.platform-refused", { platform: "linux/arm64" }],
  ] as const)("refuses with %s: %o", (code, request) => {
    expect(() => idOf(scratch(repository), request)).toThrowError(expect.objectContaining({ code }));
  });

  it("editing any file of the records changes the ID, editing any other does not", () => {
    const tree = {
      ...repository,
      "app/deep/er/c.txt": "c",
      "docker/x/README.md": "r",
      "src/x.ts": "x",
      "pins.txt": "p",
      "app2/a.txt": "a",
    };
    const { id, records } = identify(scratch(tree));
    const counted = new Set(
      records.flatMap((record) =>
        record[0] === "input" ? [record[1]] : record[0] === "derived" ? [record[2]] : [],
      ),
    );
    counted.add("docker/x/Dockerfile");
    for (const path of Object.keys(tree)) {
      const folder = scratch(tree);
      if (path === "app/link") continue;
      edit(folder, path, (text) => `${text}#\n`);
      expect([path, idOf(folder) !== id]).toEqual([path, counted.has(path)]);
    }
  });
});

describe("without image.yaml", () => {
  it("the context is the Dockerfile's folder, or the given one", () => {
    const folder = scratch({ "x/Dockerfile": `${syntax}\n${from}\nCOPY a /a\n`, "x/a": "1", a: "1" });
    const request = { dockerfile: join(folder, "x/Dockerfile") };
    expect(idOf(folder, { ...request, context: folder })).toBe(idOf(folder, request));
    rmSync(join(folder, "x/a"));
    expect(() => idOf(folder, request)).toThrowError(
      expect.objectContaining({ code: "image.source-missing" }),
    );
    expect(() => idOf(folder, { ...request, candidates: "pi" })).toThrowError(
      expect.objectContaining({ code: "image.candidates-undeclared" }),
    );
  });

  it("an image.yaml that is wrong is told with its line", () => {
    const rows: [string, string, string][] = [
      ["platform: linux/amd64", "platform: windows/amd64", "image.yaml:3"],
      ["deny:", "denied:", "image.yaml:8"],
      ["app/", "../app/", "image.yaml:4"],
      ["context: ../..", "context: /", "image.yaml:2"],
      ["sealpack/image/v1", "sealpack/image/v2", "image.yaml:1"],
    ];
    for (const [text, wrong, place] of rows) {
      const folder = scratch({ ...repository, "docker/x/image.yaml": imageYaml.replace(text, wrong) });
      expect(() => idOf(folder)).toThrowError(
        expect.objectContaining({
          code: "image.definition-invalid",
          message: expect.stringContaining(place),
        }),
      );
    }
  });
});
