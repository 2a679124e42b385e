import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Io } from "../../src/cli/io.ts";
import { createProgram, runCli } from "../../src/cli/run-cli.ts";
import { smallPack, smallRevision, writeSmallPack } from "../support/small-pack.ts";
import { tempDir } from "../support/temp-dir.ts";

async function run(cwd: string, ...args: string[]) {
  let [stdout, stderr] = ["", ""];
  const io: Io = {
    stdout: (text) => {
      stdout += text;
    },
    stderr: (text) => {
      stderr += text;
    },
    env: {},
    cwd,
    home: "/nonexistent",
    isTerminal: false,
    signal: new AbortController().signal,
  };
  const exit = await runCli(args, io);
  return { exit, stdout, stderr, json: () => JSON.parse(stdout) as Record<string, unknown> };
}

function prepare(): string {
  const dir = tempDir();
  writeSmallPack(smallPack(), join(dir, "pack"), join(dir, "cache"));
  return dir;
}

const buildArgs = [
  ...[
    "build",
    "pack",
    "--out",
    "out",
    "--target",
    "linux-x64",
    "--cache",
    "cache",
    "--offline",
    "--no-exercise",
  ],
  ...["--source-revision", smallRevision],
];

test("build, verify, inspect and diff a pack", async () => {
  const dir = prepare();
  const built = await run(dir, ...buildArgs);
  expect(built).toMatchObject({ exit: 0 });
  expect(built.stdout).toContain("tool 2.0.0");
  expect(built.stdout).toContain(
    "release   no: git cannot be read and nobody vouched with --assert-clean; not exercised",
  );
  const verified = await run(dir, "verify", "out");
  expect(verified.exit).toBe(0);
  expect(verified.stdout).toContain("self-consistent only");
  expect((await run(dir, "verify", "out", "--manifest", "out/sealpack.json")).stdout).toContain(
    "exactly the pack of the given manifest",
  );
  expect((await run(dir, "inspect", "out")).stdout).toContain("tool@2.0.0");
  expect((await run(dir, "diff", "out", "out/sealpack.json")).stdout).toBe("no difference\n");
});

test("every command prints one JSON document and nothing else on stdout", async () => {
  const dir = prepare();
  expect((await run(dir, ...buildArgs, "--json")).json()).toMatchObject({ release: false });
  expect((await run(dir, "verify", "out", "--json")).json()).toMatchObject({
    ok: true,
    trust: "self-consistent only",
  });
  expect((await run(dir, "inspect", "out", "--json")).json()).toHaveProperty(
    "manifest.payload.name",
    "small",
  );
  expect((await run(dir, "diff", "out", "out", "--json")).json()).toMatchObject({ same: true });
  expect((await run(dir, "lock", "check", "pack", "--json")).json()).toMatchObject({ problems: [] });
});

test("a changed pack ends with 1 and names code and path", async () => {
  const dir = prepare();
  await run(dir, ...buildArgs);
  writeFileSync(join(dir, "out/node_modules/script/cli.js"), "console.log(require('helpeR'));\n");
  const { exit, stdout } = await run(dir, "verify", "out");
  expect(exit).toBe(1);
  expect(stdout).toMatch(
    /^tree\.content {2}node_modules\/script\/cli\.js: expected .*, got .*\nout: not sound: 1 tree\.content\n$/,
  );
});

test("diff tells what differs and ends with 1", async () => {
  const dir = prepare();
  const other = tempDir();
  const pack = smallPack();
  if (pack.packages.helper) pack.packages.helper.files["index.js"] = "module.exports = '1.0.1';\n";
  writeSmallPack(pack, join(other, "pack"), join(other, "cache"));
  await run(dir, ...buildArgs);
  await run(other, ...buildArgs);
  const { exit, stdout } = await run(dir, "diff", "out", join(other, "out"));
  expect(exit).toBe(1);
  expect(stdout).toContain("component node_modules/helper digest");
  expect(stdout).toContain("changed node_modules/helper/index.js");
});

const usage: readonly (readonly [string, readonly string[]])[] = [
  ["an unknown command", ["biuld"]],
  ["an unknown option", ["verify", "out", "--manifset", "x"]],
  ["no output", ["build", "pack"]],
  ["a lock without its digest", ["build", "pack", "--out", "out", "--lock", "x"]],
  ["a digest without its lock", ["build", "pack", "--out", "out", "--lock-sha256", "0".repeat(64)]],
  ["an empty lock", ["build", "pack", "--out", "out", "--lock", "", "--lock-sha256", "0".repeat(64)]],
  ["an empty digest", ["build", "pack", "--out", "out", "--lock", "x", "--lock-sha256", ""]],
  ["an unknown target", ["build", "pack", "--out", "out", "--target", "plan9-x64"]],
  ["no command", []],
];

for (const [name, args] of usage) {
  test(`${name} is a usage error`, async () => {
    const { exit, stderr } = await run(tempDir(), ...args);
    expect(exit).toBe(2);
    expect(stderr).not.toBe("");
    expect(stderr).not.toMatch(/^ +at /m);
  });
}

test("a usage error asked for as JSON is a document too", async () => {
  const { json } = await run(tempDir(), "verify", "--json");
  expect(json()).toMatchObject({ error: { code: "cli.usage", exit: 2 } });
});

test("a failure says what was expected, what was found and what to do", async () => {
  const { exit, stderr } = await run(tempDir(), "verify", "nowhere");
  expect(exit).toBe(3);
  expect(stderr).toMatch(
    /^sealpack: pack\.not-found: .*nowhere: expected a sealed pack, got nothing\n {2}\S.*\.\n$/,
  );
});

test("a failure asked for as JSON is a document", async () => {
  const { json } = await run(tempDir(), "inspect", "nowhere", "--json");
  expect(json()).toMatchObject({ error: { code: "pack.not-found", exit: 3 } });
});

test("verify of an interrupted swap says how to mend it", async () => {
  const dir = prepare();
  mkdirSync(join(dir, "out.old-999999999-1"));
  writeFileSync(join(dir, "out.old-999999999-1/sealpack.json"), "{}");
  const { exit, stderr } = await run(dir, "verify", "out");
  expect(exit).toBe(3);
  expect(stderr).toContain("pack.interrupted-swap");
  expect(stderr).toMatch(/mv '.*out\.old-999999999-1' '.*out'/);
});

test("every command takes --json, and its help has an example", () => {
  const io = { stdout: () => {}, stderr: () => {} } as unknown as Io;
  const program = createProgram(io, () => {});
  const leaves = program.commands.flatMap((one) => (one.commands.length > 0 ? one.commands : [one]));
  expect(leaves.length).toBeGreaterThanOrEqual(6);
  for (const command of leaves) {
    let help = "";
    command.configureOutput({
      writeOut: (text) => {
        help += text;
      },
    });
    command.outputHelp();
    expect([command.name(), help.includes("--json"), help.includes("Example:")]).toEqual([
      command.name(),
      true,
      true,
    ]);
  }
});
