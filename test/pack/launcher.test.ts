import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LauncherTarget, printLauncher } from "../../src/pack/launcher.ts";

/** The shell under test; another one is tried with SEALPACK_TEST_SH=/path/to/a/file/named/sh. */
const shell = process.env.SEALPACK_TEST_SH ?? "/bin/sh";

/** What the shells themselves add to an empty environment. */
const shellVariables = new Set(["PWD", "SHLVL", "_", "PATH", "OLDPWD"]);

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sealpack-launcher-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Seen {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Stands for the pack's Node: reports what it was started with, each value ended by NUL. */
const reporter = `#!/bin/sh -
printf '%s\\0' "$0" "$@" '=' && command -p env -0
`;

function makePack(root: string, target: LauncherTarget): string {
  const launcher = join(root, "node_modules/.bin/tool");
  const interpreter = join(root, "node_modules/node/bin/node");
  mkdirSync(dirname(launcher), { recursive: true });
  mkdirSync(dirname(interpreter), { recursive: true });
  writeFileSync(interpreter, reporter, { mode: 0o755 });
  writeFileSync(launcher, printLauncher(target).replace("#!/bin/sh", `#!${shell}`), { mode: 0o755 });
  return launcher;
}

function run(file: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Seen {
  const done = spawnSync(file, args, { cwd, env, encoding: "utf8" });
  if (done.error !== undefined) throw done.error;
  if (done.status !== 0) throw new Error(`exit ${done.status}: ${done.stderr}`);
  const parts = done.stdout.split("\0").slice(0, -1);
  const mark = parts.indexOf("=");
  const pairs = parts.slice(mark + 1).map((part) => part.split(/=(.*)/s).slice(0, 2) as [string, string]);
  return { argv: parts.slice(0, mark), env: Object.fromEntries(pairs) };
}

const entry: LauncherTarget = {
  kind: "entry",
  interpreter: "node_modules/node/bin/node",
  entry: "node_modules/tool/cli.js",
  env: { HOME_OF_PACK: "{pack}", TOOL: "a'b\"{pack}/x:{pack}$HOME`id`\\" },
};

/** A folder name per thing that a shell could trip over. */
const names = [
  "plain",
  "with space",
  "line\nbreak",
  "ends with\n",
  "quote'\"",
  "$HOME`id`\\",
  "-dash",
  "*?[a]",
  "ünï",
];

describe.each(names)("a pack in %j", (name) => {
  const make = (): { root: string; launcher: string } => {
    const root = join(folder, name, "pack");
    return { root, launcher: makePack(root, entry) };
  };
  const check = (seen: Seen, root: string): void => {
    expect(seen.argv).toEqual([
      join(root, entry.interpreter),
      join(root, entry.entry),
      "-x",
      "two words",
      "",
    ]);
    expect(seen.env.HOME_OF_PACK).toBe(root);
    expect(seen.env.TOOL).toBe(`a'b"${root}/x:${root}$HOME\`id\`\\`);
  };
  const args = ["-x", "two words", ""];

  it("is found from an absolute path", () => {
    const { root, launcher } = make();
    check(run(launcher, args, "/"), root);
  });

  it("is found from a relative path, whatever it begins with", () => {
    const { root, launcher } = make();
    check(run(relative(folder, launcher), args, folder), root);
    check(run("./tool", args, dirname(launcher)), root);
  });

  it("is found through PATH, also where PATH names the working directory", () => {
    const { root, launcher } = make();
    const viaPath = (path: string, cwd: string) =>
      run("/usr/bin/env", [`PATH=${path}`, "tool", ...args], cwd, { PATH: path });
    check(viaPath(dirname(launcher), "/"), root);
    check(viaPath("", dirname(launcher)), root);
  });

  it("is found through links outside: absolute, relative, chained, and of a directory", () => {
    const { root, launcher } = make();
    const outside = join(folder, name, "out side");
    mkdirSync(outside);
    symlinkSync(launcher, join(outside, "absolute"));
    symlinkSync(relative(outside, launcher), join(outside, "relative\n"));
    symlinkSync("relative\n", join(outside, "-chained"));
    symlinkSync(dirname(launcher), join(outside, "bin"));
    check(run(join(outside, "absolute"), args, "/"), root);
    check(run("./relative\n", args, outside), root);
    check(run("-chained", args, outside, { PATH: "" }), root);
    check(run("bin/tool", args, outside), root);
    check(run("bin/../.bin/tool", args, outside), root);
  });
});

describe("the launcher's environment", () => {
  it("adds nothing to the child's but what is declared", () => {
    const launcher = makePack(join(folder, "bare"), entry);
    const seen = run(launcher, [], "/");
    const added = Object.keys(seen.env).filter((name) => !shellVariables.has(name));
    expect(added.sort()).toEqual(["HOME_OF_PACK", "TOOL"]);
  });

  it("passes the caller's on, replaces what is declared, and lets none of its own out", () => {
    const launcher = makePack(join(folder, "full"), entry);
    const seen = run(launcher, [], "/", { KEPT: "a\nb", TOOL: "old", sealpack_root: "/x", CDPATH: folder });
    expect(seen.env.KEPT).toBe("a\nb");
    expect(seen.env.TOOL).toContain("full/x:");
    expect(Object.keys(seen.env).filter((name) => name.startsWith("sealpack_"))).toEqual([]);
  });

  it.each(["A-B", "1A", "", "A B", "A;id", "sealpack_root"])("refuses the name %j", (name) => {
    expect(() => printLauncher({ kind: "executable", path: "x", env: { [name]: "v" } })).toThrow(TypeError);
  });
});

describe("printLauncher", () => {
  it("starts a native executable at a path that needs quoting", () => {
    const root = join(folder, "native");
    const path = "node_modules/it's $HOME/-x";
    const launcher = makePack(root, { kind: "executable", path, env: {} });
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), reporter, { mode: 0o755 });
    expect(run(launcher, ["--version"], "/").argv).toEqual([join(root, path), "--version"]);
  });

  it("ends with a message and 126 where links go in a circle or the pack cannot be found", () => {
    const launcher = makePack(join(folder, "lost"), entry);
    rmSync(launcher);
    symlinkSync("tool", launcher);
    const text = printLauncher(entry);
    const done = spawnSync("/bin/sh", ["-c", text, launcher], { env: {}, encoding: "utf8" });
    expect([done.status, done.stderr]).toEqual([126, `${launcher}: too many symbolic links\n`]);
    const nowhere = spawnSync("/bin/sh", ["-c", text, join(folder, "none/x/y")], {
      env: {},
      encoding: "utf8",
    });
    expect([nowhere.status, nowhere.stderr.includes("cannot find the pack")]).toEqual([126, true]);
  });

  it("needs no other program where no link has to be read", () => {
    const text = printLauncher(entry);
    expect(text.match(/command -p \w+/g)).toEqual(["command -p readlink"]);
  });

  it("gives the same bytes whatever the order of the environment", () => {
    const of = (env: Record<string, string>) => printLauncher({ kind: "executable", path: "x", env });
    expect(of({ A: "1", B: "2" })).toBe(of({ B: "2", A: "1" }));
  });
});
