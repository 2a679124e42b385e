import { describe, expect, it } from "vitest";
import { parseDefinition } from "../../src/definition/parse-definition.ts";
import { isSealpackError, type SealpackError } from "../../src/errors.ts";

const digest = "1e08503dbdf3c2cb0d706d32f3408277388d1c76ef108673e8fe42c1b322925b";

/** A sound definition, one key on each line, so that a row can replace one line and know its number. */
const sound = `schema: sealpack/pack/v1
name: small
lock: { path: package-lock.json, sha256: ${digest} }
targets: [linux-x64, linux-arm64]
origins: ["https://registry.example.test"]
interpreter: { path: node_modules/node/bin/node, version: 24.21.0, minimum: 24.11.0, undici: 7.29.1 }
place: [{ from: "node_modules/node-{target}/bin/node", to: node_modules/node/bin/node }]
commands:
  tool: { entry: node_modules/tool/cli.js, version: 1.0.0, env: { HOME_OF: "{pack}/x" } }
  native: { executable: { linux-x64: { path: node_modules/n/n, sha256: ${digest} } }, version: n 1 }
bridges: { tool: { package: tool, version: 1.0.0, drives: "@scope/native" } }
installScripts: [{ package: tool, run: node install.js, file: install.js, sha256: ${digest}, replacedBy: nothing }]
omit: ["node_modules/node-{target}/{include,share}/**"]
absent: [{ package: n-linux-arm64@1.0.0, target: linux-arm64 }]
patches: [{ file: fix.patch, sha256: ${digest}, component: node_modules/tool }]
cpu: { linux-x64: [avx2] }
compiled: { proxy: { program: opencode-proxy, version: 1.0.0, path: dist/cli/proxy.cjs } }
prerequisites: { grok: { version: 1.0.13, path: /opt/grok, sha256: ${digest} } }
`;

function parse(text: string) {
  return parseDefinition(Buffer.from(text), "pack.yaml");
}

function failure(text: string | Uint8Array): SealpackError {
  try {
    parseDefinition(Buffer.from(text), "pack.yaml");
  } catch (error) {
    if (isSealpackError(error)) return error;
    throw error;
  }
  throw new Error("expected a failure");
}

/** Replaces a piece of the sound definition, which must be there. */
function changed(from: string, to: string): string {
  expect(sound).toContain(from);
  return sound.replace(from, () => to);
}

describe("parseDefinition", () => {
  it("reads a sound definition and fills the defaults in", () => {
    const definition = parse(sound);
    expect(definition.commands.tool).toEqual({
      kind: "entry",
      entry: "node_modules/tool/cli.js",
      version: "1.0.0",
      versionArgs: ["--version"],
      acp: false,
      env: { HOME_OF: "{pack}/x" },
    });
    expect(definition.commands.native).toMatchObject({ kind: "executable" });
    expect(definition.targets).toEqual(["linux-x64", "linux-arm64"]);
  });

  it("reads the smallest definition", () => {
    const text = `schema: sealpack/pack/v1\nname: a\nlock: {path: l.json, sha256: ${digest}}\ntargets: [linux-x64]\ncommands: {}\n`;
    expect(parse(text)).toMatchObject({
      place: [],
      bridges: {},
      omit: [],
      absent: [],
      origins: [],
      patches: [],
      cpu: {},
    });
    expect(parse(text).interpreter).toBeUndefined();
  });

  /** One mistake per row: what is replaced, by what, and the code. `»` is where the message must point to. */
  const rows: readonly (readonly [string, string, string])[] = [
    ["name: small\nlock: {", "name: [small\n»lock: {", "definition.syntax"],
    ["name: small", "name: small\n»name: other", "definition.duplicate-key"],
    ["name: small", "name: &a »small", "definition.alias"],
    ["name: small", "name: !odd »small", "definition.tag"],
    ["name: small", "name: small\n»__proto__: 1", "definition.wrong-name"],
    ["name: small", "»nmae: small", "definition.unknown-key"],
    ["name: small", "name: small\n»extra: 1", "definition.unknown-key"],
    ["schema: sealpack/pack/v1\nname: small", "»schema: sealpack/pack/v1", "definition.missing-key"],
    ["name: small", "name: »12", "definition.number-for-string"],
    ["name: small", "name: »true", "definition.number-for-string"],
    ["name: small", "name: »{}", "definition.wrong-type"],
    ["name: small", "name:»", "definition.wrong-type"],
    ["name: small", "name: »Small", "definition.wrong-name"],
    ["name: small", 'name: »"12"', "definition.wrong-name"],
    ["name: small", "name: »a/b", "definition.wrong-name"],
    ["sealpack/pack/v1", "»sealpack/pack/v2", "definition.wrong-value"],
    ["[linux-x64, linux-arm64]", "»[]", "definition.wrong-value"],
    ["[linux-x64, linux-arm64]", "[»linux-x46]", "definition.wrong-value"],
    ["[linux-x64, linux-arm64]", "[linux-x64, linux-arm64, »linux-x64]", "definition.wrong-value"],
    ["path: package-lock.json", "path: »../lock.json", "definition.wrong-path"],
    ["path: package-lock.json", "path: »/lock.json", "definition.wrong-path"],
    ["path: package-lock.json", "path: »a//b", "definition.wrong-path"],
    ["path: package-lock.json", "path: »a\\b", "definition.wrong-path"],
    ["path: package-lock.json", "path: »./a", "definition.wrong-path"],
    ["path: package-lock.json", "path: »C:/a", "definition.wrong-path"],
    ["path: package-lock.json", 'path: »"a-{target}"', "definition.placeholder"],
    [`json, sha256: ${digest}`, "json, sha256: »abc", "definition.wrong-digest"],
    [`json, sha256: ${digest}`, `json, sha256: »${digest.toUpperCase()}`, "definition.wrong-digest"],
    [`json, sha256: ${digest}`, `json, sha256: »"${"0".repeat(64)}"`, "definition.placeholder-digest"],
    [`json, sha256: ${digest}`, `json, sha256: »${"deadbeef".repeat(8)}`, "definition.placeholder-digest"],
    ['"https://registry.example.test"', "»http://registry.example.test", "definition.wrong-origin"],
    ['"https://registry.example.test"', "»https://registry.example.test/", "definition.wrong-origin"],
    ['"https://registry.example.test"', "»https://u:p@registry.example.test", "definition.wrong-origin"],
    ["version: 24.21.0,", "version: »24.21,", "definition.number-for-string"],
    ["version: 24.21.0,", "version: »^24.21.0,", "definition.wrong-version"],
    ["version: 24.21.0,", "version: »24.10.0,", "definition.interpreter-too-old"],
    ["undici: 7.29.1", "undici: »7.29.0", "definition.undici-too-old"],
    ["bin/node, version", "bin/node, »vresion", "definition.unknown-key"],
    ['"node_modules/node-{target}/bin', '»"node_modules/node-{targte}/bin', "definition.placeholder"],
    ["to: node_modules/node/bin/node }", "to: »node_modules/.bin/node }", "definition.reserved-path"],
    ["to: node_modules/node/bin/node }", "to: »package-lock.json }", "definition.reserved-path"],
    ["to: node_modules/node/bin/node }", "to: »dist/a }", "definition.reserved-path"],
    ["path: package-lock.json", "path: »sealpack.tree", "definition.reserved-path"],
    ["path: package-lock.json", "path: »node_modules/.bin/a", "definition.reserved-path"],
    [
      "bin/node }]",
      "bin/node }, { from: b, to: »node_modules/node/bin/node }]",
      "definition.place-collision",
    ],
    ["  tool: {", "  »Tool: {", "definition.wrong-name"],
    ["  tool: {", "  »../tool: {", "definition.wrong-name"],
    ["  native: {", "  »tOOL: {", "definition.name-collision"],
    [
      `{ executable: { linux-x64: { path: node_modules/n/n, sha256: ${digest} } }, v`,
      "»{ v",
      "definition.command-kind",
    ],
    ["{ entry: node_modules/tool/cli.js", "»{ entry: a, executable: {}", "definition.command-kind"],
    ["{ HOME_OF:", "{ »HOME-OF:", "definition.wrong-name"],
    ['"{pack}/x"', '»"{target}/x"', "definition.placeholder"],
    ['"{pack}/x"', '»"a\\nb"', "definition.wrong-value"],
    ["version: n 1", 'version: »"n\\n1"', "definition.wrong-value"],
    ["executable: { linux-x64", "executable: { »linux-x46", "definition.unknown-key"],
    [
      "executable: { linux-x64",
      "executable: { linux-x64: *x, »linux-x64-musl",
      "definition.undeclared-target",
    ],
    [
      "target: linux-arm64 }",
      "target: linux-arm64 }, { package: b@1.0.0, target: »linux-arm46 }",
      "definition.wrong-value",
    ],
    ["n-linux-arm64@1.0.0", "»n-linux-arm64@^1.0.0", "definition.wrong-version"],
    ["n-linux-arm64@1.0.0", "»n-linux-arm64", "definition.wrong-value"],
    ["tool: { package: tool", "tool: { package: »../tool", "definition.wrong-name"],
    [
      "[{ package: tool, run: node install.js, file: install.js",
      "[»{ package: tool, run: a",
      "definition.missing-key",
    ],
    ["replacedBy: nothing", "replacedBy: »noting", "definition.wrong-value"],
    [
      '"node_modules/node-{target}/{include,share}/**"',
      '»"node_modules/{include}/**"',
      "definition.placeholder",
    ],
    ['"node_modules/node-{target}/{include,share}/**"', '»"node_modules/x**"', "definition.wrong-pattern"],
    ['"node_modules/node-{target}/{include,share}/**"', '»"node_modules/[ab]"', "definition.wrong-pattern"],
    ["{ linux-x64: [avx2] }", "{ »linux-x64-musl: [avx2] }", "definition.undeclared-target"],
    ["program: opencode-proxy", "program: »main", "definition.wrong-value"],
    ["path: dist/cli/proxy.cjs", "path: »node_modules/tool/proxy.cjs", "definition.wrong-path"],
    ["path: dist/cli/proxy.cjs", "path: »dist/../proxy.cjs", "definition.wrong-path"],
    ["path: dist/cli/proxy.cjs", "path: »dist/cli/proxy", "definition.wrong-path"],
    ["compiled: { proxy:", "compiled: { »tool:", "definition.name-collision"],
    ["compiled: { proxy:", "compiled: { »Proxy:", "definition.wrong-name"],
    [
      "path: dist/cli/proxy.cjs }",
      "path: dist/cli/proxy.cjs }, »twin: { program: acpx-sidecar, version: 1.0.0, path: dist/cli/proxy.cjs }",
      "definition.name-collision",
    ],
    ["path: /opt/grok", "path: »opt/grok", "definition.wrong-path"],
    ["path: /opt/grok", "path: »/opt/../grok", "definition.wrong-path"],
  ];

  it.each(rows)("%j → %j is %s", (from, to, code) => {
    const marked = changed(from, to.replace("*x", `{ path: a, sha256: ${digest} }`));
    const before = marked.slice(0, marked.indexOf("»")).split("\n");
    const place = `${before.length}:${(before.at(-1) ?? "").length + 1}`;
    const error = failure(marked.replace("»", ""));
    expect(error.code).toBe(code);
    expect(error.exit).toBe(2);
    const [first] = error.details.problems as { line: number; column: number }[];
    expect(`${first?.line}:${first?.column}`).toBe(place);
    expect(error.message).toContain(`pack.yaml:${place}`);
  });

  it("takes an absent package once", () => {
    const row = "{ package: n-linux-arm64@1.0.0, target: linux-arm64 }";
    const error = failure(changed(row, `${row}, ${row}`));
    expect(error.code).toBe("definition.wrong-value");
    expect(error.message).toContain("absent[1]");
  });

  it("needs an executable for every target that no absent row explains", () => {
    const error = failure(changed("target: linux-arm64 }", "target: win32-x64 }"));
    expect(error.code).toBe("definition.executable-missing");
    expect(error.message).toContain("linux-arm64");
  });

  it("needs an interpreter for an entry, and an entry for an interpreter", () => {
    const line = sound.split("\n")[5] as string;
    expect(failure(sound.replace(`${line}\n`, "")).code).toBe("definition.interpreter-missing");
    const entry = sound.split("\n")[8] as string;
    const compiled = sound.split("\n")[16] as string;
    expect(parse(sound.replace(`${entry}\n`, "")).interpreter).toBeDefined();
    const compiledAlone = sound.replace(`${entry}\n`, "").replace(`${line}\n`, "");
    expect(failure(compiledAlone).code).toBe("definition.interpreter-missing");
    expect(failure(sound.replace(`${entry}\n`, "").replace(`${compiled}\n`, "")).code).toBe(
      "definition.interpreter-unused",
    );
  });

  it.each([
    ["nmae: small", "`name`"],
    ["name: small\nptaches: []", "`patches`"],
    ["name: small\norigin: []", "`origins`"],
    ["name: small\ncpu: { linux-x46: [] }", "`linux-x64`"],
    ["name: small\nlock: { path: a, sha265: a }", "`sha256`"],
    ["name: small\ncommands: { executable: { verson: a } }", "`version`"],
    ["name: small\ncommands: { a: { executable: { darwin-x46: a } } }", "`darwin-x64`"],
  ])("suggests the near key for %s", (text, near) => {
    const keys = text.split("\n").map((line) => line.split(":")[0]);
    const rest = sound
      .split("\n")
      .filter((line) => line !== "name: small" && !keys.includes(line.split(":")[0]));
    const { details } = failure([text, ...rest.filter((line) => !line.startsWith("  "))].join("\n"));
    const remedies = (details.problems as { remedy: string }[]).map(({ remedy }) => remedy).join("\n");
    expect(remedies).toContain(near);
  });

  it("suggests no key where none is near", () => {
    expect(failure(changed("name: small", "name: small\nregistry: x")).remedy).not.toContain("Did you mean");
  });

  it("shows how to write a version that YAML reads as a number", () => {
    const error = failure(changed("version: 24.21.0,", "version: 24.21,"));
    expect(error.remedy).toContain('version: "24.21"');
  });

  it("reports all problems at once, in the order of the file", () => {
    const error = failure(changed("name: small", "name: Small").replace("undici: 7.29.1", "undici: 7.0.0"));
    const problems = error.details.problems as { code: string; message: string }[];
    expect(problems.map((problem) => problem.code)).toEqual([
      "definition.wrong-name",
      "definition.undici-too-old",
    ]);
    expect(error.message).toBe(problems[0]?.message);
  });

  it.each([
    ["definition.too-large", Buffer.alloc(256 * 1024 + 1, "#")],
    ["definition.not-utf8", Buffer.from([0x61, 0x3a, 0xff])],
    ["definition.too-deep", Buffer.from("[".repeat(200_000))],
    ["definition.too-deep", Buffer.from("- ".repeat(100_000))],
    ["definition.too-deep", Buffer.from(`a: ${"[".repeat(40)}${"]".repeat(40)}`)],
    ["definition.wrong-type", Buffer.from("")],
    ["definition.wrong-type", Buffer.from("- a")],
    ["definition.syntax", Buffer.from("a: 1\n---\nb: 1")],
    ["definition.alias", Buffer.from("a: &x 1\nb: *x")],
  ])("refuses %s", (code, bytes) => {
    expect(failure(bytes).code).toBe(code);
  });
});
