import { spawnSync } from "node:child_process";
import { mkdirSync, openSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { smallPack, smallRevision, writeSmallPack } from "../support/small-pack.ts";
import { tempDir } from "../support/temp-dir.ts";

const main = join(import.meta.dirname, "../../src/cli/main.ts");
const environment = { PATH: process.env.PATH, HOME: "/nonexistent" };

function sealpack(
  args: readonly string[],
  options: { cwd?: string; stdout?: number; env?: NodeJS.ProcessEnv } = {},
) {
  const { cwd, stdout, env } = { cwd: tempDir(), stdout: undefined, env: environment, ...options };
  const stdio = ["ignore", stdout ?? "pipe", "pipe"] as const;
  return spawnSync(process.execPath, [main, ...args], {
    cwd,
    env,
    stdio: [...stdio],
    encoding: "utf8",
    timeout: 30_000,
  });
}

/** A built small pack in `out`, and what it is built from. */
function built(): string {
  const dir = tempDir();
  writeSmallPack(smallPack(), join(dir, "pack"), join(dir, "cache"));
  const options = [
    "--target",
    "linux-x64",
    "--cache",
    "cache",
    "--offline",
    "--no-exercise",
    "--source-revision",
    smallRevision,
  ];
  const { status, stderr } = sealpack(["build", "pack", "--out", "out", ...options], { cwd: dir });
  expect([status, stderr.includes("cli.internal")]).toEqual([0, false]);
  return dir;
}

test("output that cannot be written is a failure with a code, not a stack trace", () => {
  const { status, stderr } = sealpack(["inspect", "out"], {
    cwd: built(),
    stdout: openSync("/dev/full", "w"),
  });
  expect(status).toBe(3);
  expect(stderr).toMatch(/^sealpack: cli\.output: .*ENOSPC/m);
  expect(stderr).not.toMatch(/^ +at /m);
});

test("a reader who stops reading is no failure", () => {
  const dir = built();
  const script = `"$0" "$1" inspect out --json | true; "$0" "$1" lock check pack 2>&1 >/dev/null | true; exit 0`;
  const { status, stderr } = spawnSync("sh", ["-c", script, process.execPath, main], {
    cwd: dir,
    env: environment,
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, ""]);
});

test("a directory that is gone is said so", () => {
  const dir = tempDir();
  const script = `cd "$2" && rmdir "$2" && "$0" "$1" verify x`;
  mkdirSync(join(dir, "gone"));
  const argv = ["-c", script, process.execPath, main, join(dir, "gone")];
  const { status, stderr } = spawnSync("sh", argv, { env: environment, encoding: "utf8" });
  expect(status).toBe(3);
  expect(stderr).toContain("cli.system");
  expect(stderr).not.toMatch(/^ +at /m);
});

test("a link that the caller names is followed, by every reading command", () => {
  const dir = built();
  symlinkSync("out", join(dir, "link"));
  symlinkSync("out/sealpack.json", join(dir, "manifest"));
  for (const args of [
    ["verify", "link", "--manifest", "manifest"],
    ["inspect", "link"],
    ["diff", "link", "out"],
    ["diff", "manifest", "out"],
  ]) {
    expect([args, sealpack(args, { cwd: dir }).status]).toEqual([args, 0]);
  }
});

test("a temporary directory that is not there is the system's refusal, not a defect", () => {
  const dir = built();
  const env = { ...environment, TMPDIR: join(dir, "nowhere") };
  const { status, stderr } = sealpack(["lock", "check", "pack"], { cwd: dir, env });
  expect(status).toBe(3);
  expect(stderr).not.toContain("cli.internal");
});

test("without a home the cache must be named", () => {
  const dir = built();
  const options = [
    "--out",
    "other",
    "--target",
    "linux-x64",
    "--offline",
    "--no-exercise",
    "--source-revision",
    smallRevision,
  ];
  const empty = sealpack(["build", "pack", ...options, "--cache", ""], { cwd: dir });
  expect([empty.status, empty.stderr.includes("cli.usage")]).toEqual([2, true]);
});

test("what a lock says cannot steer the terminal", () => {
  const dir = built();
  const lock = JSON.parse(
    JSON.stringify({
      name: "x",
      lockfileVersion: 3,
      packages: { "": {}, "node_modules/\u001b[31mred\nline": { version: "1.0.0" } },
    }),
  );
  rmSync(join(dir, "pack/package-lock.json"));
  const text = JSON.stringify(lock);
  writeFileSync(join(dir, "given.json"), text);
  const { createHash } = process.getBuiltinModule("node:crypto");
  const digest = createHash("sha256").update(text).digest("hex");
  const options = [
    "--out",
    "other",
    "--target",
    "linux-x64",
    "--offline",
    "--source-revision",
    smallRevision,
  ];
  const { status, stderr } = sealpack(
    ["build", "pack", ...options, "--lock", "given.json", "--lock-sha256", digest],
    { cwd: dir },
  );
  expect([0, 3].includes(status ?? 3)).toBe(false);
  expect(stderr).not.toContain("\u001b");
});
