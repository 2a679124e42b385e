import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { toPackSchema } from "../../src/definition/pack-schema.ts";
import { readDefinition } from "../../src/definition/read-definition.ts";
import { toPackValue, toTargetPath } from "../../src/definition/target-path.ts";
import { tempDir } from "../support/temp-dir.ts";

describe("readDefinition", () => {
  it("reads the default pack", async () => {
    const { definition, file } = await readDefinition("packs/paperclip-runner");
    expect(file).toBe(join("packs", "paperclip-runner", "pack.yaml"));
    expect(Object.keys(definition.commands).sort()).toEqual(
      ["acpx", "claude", "claude-agent-acp", "codex", "codex-acp", "node", "opencode"].sort(),
    );
    expect(definition.commands["codex-acp"]).toMatchObject({ kind: "entry", acp: true });
  });

  it("says that a folder holds no definition", async () => {
    await expect(readDefinition(tempDir())).rejects.toMatchObject({ code: "definition.unreadable", exit: 2 });
  });

  it.each<[string, (file: string) => void, string]>([
    ["a FIFO", (file) => void execFileSync("mkfifo", [file]), "definition.unreadable"],
    ["a directory", (file) => mkdirSync(file), "definition.unreadable"],
    ["a link to an endless device", (file) => symlinkSync("/dev/zero", file), "definition.unreadable"],
    [
      "a sparse terabyte",
      (file) => {
        writeFileSync(file, "");
        truncateSync(file, 2 ** 40);
      },
      "definition.too-large",
    ],
  ])("does not wait for, or read without end, %s", async (_name, make, code) => {
    const folder = tempDir();
    make(join(folder, "pack.yaml"));
    await expect(readDefinition(folder)).rejects.toMatchObject({ code });
  });

  it("names the file in a problem", async () => {
    const folder = tempDir();
    writeFileSync(join(folder, "pack.yaml"), "nmae: 1\n");
    await expect(readDefinition(folder)).rejects.toThrow(join(folder, "pack.yaml"));
  });
});

describe("placeholders", () => {
  it("replaces each, and takes the value as it is", () => {
    expect(toTargetPath("a-{target}/{target}", "linux-x64")).toBe("a-linux-x64/linux-x64");
    expect(toPackValue("{pack}/bin:{pack}", "/a $& b")).toBe("/a $& b/bin:/a $& b");
  });
});

describe("toPackSchema", () => {
  it("is JSON Schema that closes every object", () => {
    const schema = JSON.parse(toPackSchema());
    expect(schema.additionalProperties).toBe(false);
    expect(schema.properties.commands.additionalProperties.additionalProperties).toBe(false);
    expect(schema.required).toEqual(["schema", "name", "lock", "targets", "commands"]);
  });
});
