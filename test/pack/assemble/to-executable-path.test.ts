import { expect, test } from "vitest";
import { toExecutablePath } from "../../../src/pack/assemble/to-executable-path.ts";
import { smallDefinition } from "../../lock/small-lock.ts";

const base = { version: "1", versionArgs: ["--version"], acp: false, env: {} };
const definition = smallDefinition({
  commands: {
    native: {
      kind: "executable",
      executable: { "linux-x64": { path: "node_modules/n/n", sha256: "" } },
      ...base,
    },
    script: { kind: "entry", entry: "node_modules/s/cli.js", ...base },
  },
});

test("an executable is the target's own; an entry's is the interpreter", () => {
  const interpreter = {
    path: "node_modules/node/bin/node",
    version: "1.0.0",
    minimum: "1.0.0",
    undici: "8.0.0",
  };
  expect(toExecutablePath(definition, "native", "linux-x64")).toBe("node_modules/n/n");
  expect(toExecutablePath({ ...definition, interpreter }, "script", "linux-x64")).toBe(interpreter.path);
});

test.each(["native", "script", "unknown"])("refuses %s where none is declared for the target", (name) => {
  expect(() => toExecutablePath(definition, name, "linux-arm64")).toThrow(
    expect.objectContaining({ code: "pack.executable-not-declared", exit: 2 }),
  );
});
