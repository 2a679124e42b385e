import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { readSource, type SourceRequest } from "../../../src/pack/source/read-source.ts";
import { tempDir } from "../../support/temp-dir.ts";

const full = "0123456789abcdef0123456789abcdef01234567";

function git(dir: string, ...args: string[]): string {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"];
  const stdio = ["ignore", "pipe", "ignore"] as const;
  return execFileSync("git", ["-C", dir, ...identity, ...args], {
    encoding: "utf8",
    stdio: [...stdio],
  }).trim();
}

function request(packDir: string, changes: Partial<SourceRequest> = {}): SourceRequest {
  const files = ["pack.yaml", "package.json"].map((name) => join(packDir, name));
  return {
    packDir,
    files,
    toolSources: [],
    revision: undefined,
    assertClean: false,
    allowDirty: false,
    ...changes,
  };
}

/** Replaces a file by a link to a copy of it elsewhere: the same bytes, and not the commit's. */
function linkAway(path: string): void {
  const elsewhere = join(tempDir(), "copy");
  renameSync(path, elsewhere);
  symlinkSync(elsewhere, path);
}

function commitAll(top: string): void {
  git(top, "add", "-A");
  git(top, "commit", "-qm", "next");
}

const templates = mkdtempSync(join(tmpdir(), "sealpack-repositories-"));
afterAll(() => rmSync(templates, { recursive: true, force: true }));

/** A checkout of its own; git makes the first of each format and the others are copies of it. */
function repository(format = "sha1"): { top: string; packDir: string; head: string } {
  const template = join(templates, format);
  if (!existsSync(template)) writeRepository(template, format);
  const top = tempDir();
  cpSync(template, top, { recursive: true });
  const head = readFileSync(join(top, ".git/refs/heads/main"), "utf8").trim();
  return { top, packDir: join(top, "packs/small"), head };
}

function writeRepository(top: string, format: string): void {
  mkdirSync(join(top, "packs/small"), { recursive: true });
  for (const name of ["pack.yaml", "package.json"])
    writeFileSync(join(top, "packs/small", name), `${name}\n`, { mode: 0o644 });
  writeFileSync(join(top, "other.txt"), "not an input\n");
  git(top, "init", "-q", "-b", "main", "--template=", `--object-format=${format}`);
  mkdirSync(join(top, ".git/info"));
  commitAll(top);
}

test("a clean checkout gives HEAD and a release", async () => {
  const { packDir, head } = repository();
  expect(await readSource(request(packDir))).toEqual({ revision: head, release: true, reasons: [] });
  expect(await readSource(request(packDir, { revision: head }))).toMatchObject({ release: true });
});

test("what is no input of the pack does not make it dirty", async () => {
  const { top, packDir } = repository();
  writeFileSync(join(top, "other.txt"), "changed\n");
  expect(await readSource(request(packDir))).toMatchObject({ release: true });
});

const dirt: readonly (readonly [string, (top: string, packDir: string) => void])[] = [
  ["an unstaged change", (_, packDir) => writeFileSync(join(packDir, "pack.yaml"), "changed\n")],
  [
    "a staged change",
    (top, packDir) => {
      writeFileSync(join(packDir, "pack.yaml"), "changed\n");
      git(top, "add", ".");
    },
  ],
  ["an untracked file", (_, packDir) => writeFileSync(join(packDir, "new.patch"), "")],
  [
    "an input that git ignores",
    (top, packDir) => {
      writeFileSync(join(top, ".git/info/exclude"), "package.json\n");
      git(top, "rm", "-q", "--cached", join(packDir, "package.json"));
      git(top, "commit", "-qm", "untrack");
    },
  ],
  [
    "a change hidden by assume-unchanged",
    (top, packDir) => {
      git(top, "update-index", "--assume-unchanged", join(packDir, "pack.yaml"));
      writeFileSync(join(packDir, "pack.yaml"), "changed\n");
    },
  ],
  [
    "a change hidden by skip-worktree",
    (top, packDir) => {
      git(top, "update-index", "--skip-worktree", join(packDir, "pack.yaml"));
      writeFileSync(join(packDir, "pack.yaml"), "changed\n");
    },
  ],
  [
    "a change staged and taken back in the working tree",
    (top, packDir) => {
      writeFileSync(join(packDir, "pack.yaml"), "changed\n");
      git(top, "add", ".");
      writeFileSync(join(packDir, "pack.yaml"), "pack.yaml\n");
    },
  ],
  ["a removed file", (_, packDir) => unlinkSync(join(packDir, "package.json"))],
  ["a file made executable", (_, packDir) => chmodSync(join(packDir, "package.json"), 0o755)],
  [
    "a file made executable where git is told not to look",
    (top, packDir) => {
      git(top, "config", "core.fileMode", "false");
      chmodSync(join(packDir, "package.json"), 0o755);
    },
  ],
  [
    "an input that is a link out of the repository, committed as one",
    (top, packDir) => {
      linkAway(join(packDir, "package.json"));
      commitAll(top);
    },
  ],
  [
    "an input that is a link within the repository, committed as one",
    (top, packDir) => {
      unlinkSync(join(packDir, "package.json"));
      symlinkSync("../../other.txt", join(packDir, "package.json"));
      commitAll(top);
    },
  ],
  [
    "an input that is a link where git compares none",
    (top, packDir) => {
      git(top, "config", "core.symlinks", "false");
      linkAway(join(packDir, "package.json"));
    },
  ],
  [
    "a link in the folder that is no declared input",
    (top, packDir) => {
      symlinkSync(tempDir(), join(packDir, "patches"));
      commitAll(top);
    },
  ],
  [
    "a change that a content filter takes back",
    (top, packDir) => {
      git(top, "config", "filter.same.clean", "echo pack.yaml");
      writeFileSync(join(top, ".git/info/attributes"), "pack.yaml filter=same\n");
      writeFileSync(join(packDir, "pack.yaml"), "other text\n");
    },
  ],
  [
    "a change that line ending conversion takes back",
    (top, packDir) => {
      git(top, "config", "core.autocrlf", "true");
      writeFileSync(join(packDir, "pack.yaml"), "pack.yaml\r\n");
    },
  ],
  [
    "another commit's objects put in place of HEAD's",
    (top, packDir) => {
      const head = git(top, "rev-parse", "HEAD");
      writeFileSync(join(packDir, "pack.yaml"), "changed\n");
      commitAll(top);
      const next = git(top, "rev-parse", "HEAD");
      git(top, "update-ref", "HEAD", head);
      git(top, "replace", head, next);
    },
  ],
  [
    "an untracked file in a folder beside ignored ones",
    (top, packDir) => {
      writeFileSync(join(top, ".git/info/exclude"), "*.log\n");
      mkdirSync(join(packDir, "mixed"));
      for (const name of ["a.log", "b.patch"]) writeFileSync(join(packDir, "mixed", name), "");
    },
  ],
];

for (const [name, change] of dirt) {
  test(`${name} is refused, and allowed only as no release`, async () => {
    const { top, packDir } = repository();
    change(top, packDir);
    await expect(readSource(request(packDir))).rejects.toMatchObject({ code: "pack.dirty" });
    expect(await readSource(request(packDir, { allowDirty: true }))).toMatchObject({ release: false });
  });
}

test("a file that git ignores and the build does not read does not make it dirty", async () => {
  const { top, packDir } = repository();
  writeFileSync(join(top, ".git/info/exclude"), "*.log\nnode_modules/\n");
  mkdirSync(join(packDir, "node_modules/.bin"), { recursive: true });
  symlinkSync("nowhere", join(packDir, "node_modules/.bin/tool"));
  writeFileSync(join(packDir, "a.log"), "");
  expect(await readSource(request(packDir))).toMatchObject({ release: true });
});

test("each input that is not the commit's is named with how", async () => {
  const { packDir } = repository();
  linkAway(join(packDir, "package.json"));
  writeFileSync(join(packDir, "pack.yaml"), "changed\n");
  writeFileSync(join(packDir, "new"), "");
  const files = [...request(packDir).files, join(packDir, "../../../outside.patch")];
  await expect(readSource(request(packDir, { files }))).rejects.toMatchObject({
    details: {
      dirty: [
        expect.stringMatching(/outside\.patch \(outside the repository\)$/),
        "packs/small/new (not in the commit)",
        "packs/small/pack.yaml (changed)",
        "packs/small/package.json (a link: the commit does not hold what it leads to)",
      ],
    },
  });
});

test("an input in an ignored folder that is a link is not the commit's", async () => {
  const { top, packDir } = repository();
  mkdirSync(join(packDir, "sub"));
  writeFileSync(join(packDir, "sub/a.patch"), "patch\n");
  commitAll(top);
  renameSync(join(packDir, "sub"), join(top, "elsewhere"));
  symlinkSync(join(top, "elsewhere"), join(packDir, "sub"));
  writeFileSync(join(top, ".git/info/exclude"), "sub\n");
  const files = [join(packDir, "sub/a.patch")];
  await expect(readSource(request(packDir, { files }))).rejects.toMatchObject({ code: "pack.dirty" });
});

test("the pack's folder may itself be reached through a link", async () => {
  const { packDir } = repository();
  const link = join(tempDir(), "pack");
  symlinkSync(packDir, link);
  expect(await readSource(request(link))).toMatchObject({ release: true });
  linkAway(join(packDir, "package.json"));
  await expect(readSource(request(link))).rejects.toMatchObject({ code: "pack.dirty" });
});

test("a pack may be the whole repository, and its name a pattern", async () => {
  const { top, packDir } = repository();
  const files = [join(top, "other.txt")];
  expect(await readSource(request(top, { files }))).toMatchObject({ release: true });
  const starred = join(packDir, "../*");
  renameSync(packDir, starred);
  commitAll(top);
  mkdirSync(join(top, "packs/x"));
  writeFileSync(join(top, "packs/x/untracked"), "");
  expect(await readSource(request(starred))).toMatchObject({ release: true });
});

test("bytes that the build has read already must be the commit's, too", async () => {
  const { packDir } = repository();
  const file = join(packDir, "pack.yaml");
  const read = (text: string) => request(packDir, { read: new Map([[file, Buffer.from(text)]]) });
  expect(await readSource(read("pack.yaml\n"))).toMatchObject({ release: true });
  await expect(readSource(read("what stood there before\n"))).rejects.toMatchObject({ code: "pack.dirty" });
});

test("the tool's own sources count where they are in the same repository", async () => {
  const { top, packDir } = repository();
  writeFileSync(join(top, "other.txt"), "changed\n");
  const toolSources = [join(top, "other.txt")];
  await expect(readSource(request(packDir, { toolSources }))).rejects.toMatchObject({ code: "pack.dirty" });
});

test.each(["sha1", "sha256"])(
  "the tool's own sources count in a %s repository of their own",
  async (format) => {
    const { packDir } = repository();
    const tool = repository(format);
    const toolSources = ["packs", "other.txt", "absent"].map((name) => join(tool.top, name));
    expect(await readSource(request(packDir, { toolSources }))).toMatchObject({ release: true });
    writeFileSync(join(tool.packDir, "pack.yaml"), "changed\n");
    const dirty = ["the tool's own packs/small/pack.yaml (changed)"];
    await expect(readSource(request(packDir, { toolSources }))).rejects.toMatchObject({
      code: "pack.dirty",
      details: { dirty },
    });
    expect(await readSource(request(packDir, { toolSources, allowDirty: true }))).toMatchObject({
      release: false,
      reasons: [`1 changed input(s): ${dirty[0]}`],
    });
  },
);

test("tool sources that no repository tracks are nobody's commit", async () => {
  const { top, packDir } = repository();
  expect(await readSource(request(packDir, { toolSources: [join(tempDir(), "src")] }))).toMatchObject({
    release: true,
  });
  mkdirSync(join(top, "vendor/tool/src"), { recursive: true });
  writeFileSync(join(top, "vendor/tool/src/a.ts"), "");
  writeFileSync(join(top, ".git/info/exclude"), "vendor/\n");
  const toolSources = [join(top, "vendor/tool/src")];
  expect(await readSource(request(packDir, { toolSources }))).toMatchObject({ release: true });
});

const refused: readonly (readonly [string, string, Partial<SourceRequest>])[] = [
  ["another commit than HEAD", "pack.revision-not-head", { revision: full }],
  ["--assert-clean where git can see", "pack.assert-clean-with-git", { assertClean: true }],
  ["an abbreviated revision", "pack.revision-abbreviated", { revision: "0123456" }],
  ["a revision in upper case", "pack.revision-malformed", { revision: full.toUpperCase() }],
  ["a name in place of a revision", "pack.revision-malformed", { revision: "main" }],
  ["six digits", "pack.revision-malformed", { revision: "012345", allowDirty: true }],
];

for (const [name, code, changes] of refused) {
  test(`refuses ${name}`, async () => {
    const { packDir } = repository();
    await expect(readSource(request(packDir, changes))).rejects.toMatchObject({ code, exit: 2 });
  });
}

test("an abbreviated revision of HEAD, where asked for, is recorded whole and is no release", async () => {
  const { packDir, head } = repository();
  const source = await readSource(request(packDir, { revision: head.slice(0, 9), allowDirty: true }));
  expect(source).toMatchObject({ revision: head, release: false });
});

test("without git the caller vouches", async () => {
  const packDir = tempDir();
  await expect(readSource(request(packDir))).rejects.toMatchObject({ code: "pack.revision-required" });
  expect(await readSource(request(packDir, { revision: full }))).toMatchObject({
    revision: full,
    release: false,
  });
  const vouched = request(packDir, { revision: full, assertClean: true });
  expect(await readSource(vouched)).toEqual({ revision: full, release: true, reasons: [] });
});

/** Each is a program that a repository's own configuration names, and a git command that shows that it would run. */
const programs: readonly (readonly [string, readonly (readonly [string, string])[], readonly string[]])[] = [
  ["clean filter", [["filter.trap.clean", "TRAP; cat"]], ["status"]],
  ["filter process", [["filter.trap.process", "TRAP"]], ["status"]],
  ["fsmonitor program", [["core.fsmonitor", "TRAP"]], ["status"]],
  [
    "partial clone's remote helper",
    [
      ["core.repositoryFormatVersion", "1"],
      ["extensions.partialClone", "origin"],
      ["remote.origin.promisor", "true"],
      ["remote.origin.url", "ext::TRAP"],
      ["protocol.ext.allow", "always"],
    ],
    ["cat-file", "-e", full],
  ],
];

for (const [name, settings, command] of programs) {
  test(`a repository's ${name} is not run`, async () => {
    const { top, packDir } = repository();
    const trap = join(tempDir(), "ran");
    writeFileSync(join(top, ".git/info/attributes"), "* filter=trap\n");
    const program = join(top, ".git/trap");
    writeFileSync(program, `#!/bin/sh\ntouch ${trap}\n`, { mode: 0o755 });
    for (const [key, value] of settings) git(top, "config", key, value.replace("TRAP", program));
    writeFileSync(join(packDir, "package.json"), "package.json?\n");
    if (command[0] === "cat-file") {
      const tree = git(top, "rev-parse", "HEAD:packs");
      rmSync(join(top, ".git/objects", tree.slice(0, 2), tree.slice(2)));
    }
    await readSource(request(packDir, { allowDirty: true })).catch(() => undefined);
    expect(existsSync(trap)).toBe(false);
    spawnSync("git", ["-C", top, ...command], { stdio: "ignore" });
    expect(existsSync(trap)).toBe(true);
  });
}

test("a SHA-256 repository is refused by name: no manifest can hold its commit", async () => {
  const { packDir } = repository("sha256");
  for (const changes of [{}, { allowDirty: true }, { revision: full, assertClean: true }]) {
    await expect(readSource(request(packDir, changes))).rejects.toMatchObject({
      code: "pack.revision-format",
      exit: 2,
    });
  }
});

const broken: readonly (readonly [string, (top: string) => void])[] = [
  ["a configuration that does not parse", (top) => writeFileSync(join(top, ".git/config"), "[core\n")],
  ["no HEAD", (top) => unlinkSync(join(top, ".git/HEAD"))],
  ["no commit", (top) => git(top, "update-ref", "-d", "HEAD")],
  ["a commit whose objects are gone", (top) => rmSync(join(top, ".git/objects"), { recursive: true })],
  ["an index that is none", (top) => writeFileSync(join(top, ".git/index"), "none")],
  [
    "an unknown extension",
    (top) => {
      git(top, "config", "core.repositoryFormatVersion", "1");
      git(top, "config", "extensions.future", "true");
    },
  ],
];

for (const [name, breakIt] of broken) {
  test(`a repository with ${name} could not be checked, and nobody may vouch for it`, async () => {
    const { top, packDir, head } = repository();
    breakIt(top);
    for (const changes of [{ revision: head }, { revision: head, assertClean: true }, { allowDirty: true }]) {
      const failure = { exit: changes.assertClean && name.includes("index") ? 2 : 3 };
      await expect(readSource(request(packDir, changes))).rejects.toMatchObject(failure);
    }
    await expect(readSource(request(packDir))).rejects.toMatchObject({ code: "pack.git-failed" });
  });
}

test("where no git program is installed, or a worktree's repository is elsewhere, the caller vouches", async () => {
  const { top, packDir } = repository();
  const vouched = request(packDir, { revision: full, assertClean: true });
  const path = process.env.PATH;
  onTestFinished(() => {
    process.env.PATH = path;
  });
  process.env.PATH = tempDir();
  expect(await readSource(vouched)).toMatchObject({ revision: full, release: true });
  process.env.PATH = path;
  rmSync(join(top, ".git"), { recursive: true });
  writeFileSync(join(top, ".git"), "gitdir: /nowhere/at/all\n");
  expect(await readSource(vouched)).toMatchObject({ revision: full, release: true });
});
