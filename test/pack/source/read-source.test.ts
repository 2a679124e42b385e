import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readSource, type SourceRequest } from "../../../src/pack/source/read-source.ts";
import { tempDir } from "../../support/temp-dir.ts";

const full = "0123456789abcdef0123456789abcdef01234567";

function git(dir: string, ...args: string[]): string {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"];
  return execFileSync("git", ["-C", dir, ...identity, ...args], { encoding: "utf8" }).trim();
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

function repository(): { top: string; packDir: string; head: string } {
  const top = tempDir();
  const packDir = join(top, "packs/small");
  mkdirSync(packDir, { recursive: true });
  for (const name of ["pack.yaml", "package.json"]) writeFileSync(join(packDir, name), `${name}\n`);
  writeFileSync(join(top, "other.txt"), "not an input\n");
  git(top, "init", "-q");
  git(top, "add", ".");
  git(top, "commit", "-qm", "first");
  return { top, packDir, head: git(top, "rev-parse", "HEAD") };
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
];

for (const [name, change] of dirt) {
  test(`${name} is refused, and allowed only as no release`, async () => {
    const { top, packDir } = repository();
    change(top, packDir);
    await expect(readSource(request(packDir))).rejects.toMatchObject({ code: "pack.dirty" });
    expect(await readSource(request(packDir, { allowDirty: true }))).toMatchObject({ release: false });
  });
}

test("the tool's own sources count where they are in the same repository", async () => {
  const { top, packDir } = repository();
  writeFileSync(join(top, "other.txt"), "changed\n");
  const toolSources = [join(top, "other.txt")];
  await expect(readSource(request(packDir, { toolSources }))).rejects.toMatchObject({ code: "pack.dirty" });
  const elsewhere = [join(tempDir(), "src")];
  expect(await readSource(request(packDir, { toolSources: elsewhere }))).toMatchObject({ release: true });
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

test("a repository's fsmonitor program is not run", async () => {
  const { top, packDir } = repository();
  const trap = join(tempDir(), "ran");
  git(top, "config", "core.fsmonitor", `sh -c 'touch ${trap}'`);
  await readSource(request(packDir));
  expect(existsSync(trap)).toBe(false);
  git(top, "status");
  expect(existsSync(trap)).toBe(true);
});
