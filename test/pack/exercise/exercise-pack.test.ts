import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { CommandDefinition } from "../../../src/definition/pack-definition.ts";
import { type TargetId, targetIds, toTarget } from "../../../src/definition/target.ts";
import { canRunHere } from "../../../src/pack/exercise/can-run-here.ts";
import { exercisePack } from "../../../src/pack/exercise/exercise-pack.ts";
import { acpAgent, makeSmallPack, openToAll } from "./small-pack.ts";

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

const here = targetIds.map(toTarget).find((target) => canRunHere(target));
const foreign = targetIds.map(toTarget).find((target) => !canRunHere(target));

function declare(version: string, acp = false): CommandDefinition {
  return { kind: "entry", entry: "x.js", version, versionArgs: ["--version"], acp, env: {} };
}

function prepare(commands: Readonly<Record<string, string>>) {
  const { folder, root } = makeSmallPack(commands);
  made.push(folder);
  openToAll(folder);
  if (here === undefined || foreign === undefined) throw new Error("no target is of this machine");
  return { folder, root, movedTo: join(folder, "moved"), target: here, allowNetwork: true };
}

const agent = `case $1 in --version) echo "bridge 1.6.2"; exit;; esac
${acpAgent('{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}', '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"m"}}')}`;

describe("exercisePack", () => {
  it("moves the tree, then runs every command there and reports what it found", async () => {
    const options = prepare({ tool: 'echo "tool 1.0"', bridge: agent });
    const commands = { tool: declare("tool 1.0"), bridge: declare("bridge 1.6.2", true) };
    const checks: string[] = [];
    const onProgress = (progress: { command: string; check: string }): void => {
      checks.push(`${progress.command} ${progress.check}`);
    };
    const report = await exercisePack({ ...options, commands, onProgress });
    expect(existsSync(options.root)).toBe(false);
    expect(report.root).toBe(options.movedTo);
    expect(report.commands).toEqual({
      bridge: { version: "bridge 1.6.2", acp: "authentication-required" },
      tool: { version: "tool 1.0" },
    });
    expect(checks.sort()).toEqual(["bridge acp", "bridge version", "tool version"]);
  });

  it.each([
    ["another version", "echo 1.1", "exercise.wrong-version"],
    ["a second line", "echo 1.0; echo more", "exercise.wrong-version"],
    ["the version among words", "echo v1.0", "exercise.wrong-version"],
    ["a path of the place where it was built", 'test -e "$(echo OLD)" && echo 1.0', "exercise.exit-status"],
  ])("refuses %s", async (_, body, code) => {
    const options = prepare({ tool: body });
    const commands = { tool: declare("1.0") };
    const old = join(options.root, "node_modules/.bin/tool");
    writeFileSync(old, `#!/bin/sh\n${body.replace("$(echo OLD)", old)}\n`, { mode: 0o755 });
    await expect(exercisePack({ ...options, commands })).rejects.toMatchObject({ code });
  });

  it("refuses a target of another machine before anything moves", async () => {
    const options = { ...prepare({}), target: toTarget((foreign as { id: TargetId }).id) };
    await expect(exercisePack({ ...options, commands: {} })).rejects.toMatchObject({
      code: "exercise.foreign-target",
    });
    expect(existsSync(options.root)).toBe(true);
  });

  it("could not check where the tree cannot be moved", async () => {
    const options = prepare({});
    mkdirSync(join(options.movedTo, "full"), { recursive: true });
    await expect(exercisePack({ ...options, commands: {} })).rejects.toMatchObject({
      code: "exercise.cannot-move",
      exit: 3,
    });
  });
});
