import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readNpmOptions } from "../../src/fetch/read-npm-options.ts";
import { tempDir } from "../support/temp-dir.ts";

describe("readNpmOptions", () => {
  it("reads project, user and environment as npm does, and changes no environment", async () => {
    const root = tempDir();
    const project = join(root, "project");
    mkdirSync(project);
    writeFileSync(join(project, "package.json"), "{}");
    writeFileSync(join(project, ".npmrc"), `@s:registry=https://s.test/\n//s.test/:_authToken=\${TOKEN}\n`);
    writeFileSync(join(root, ".npmrc"), "registry=https://r.test/\nproxy=http://proxy.test:1/\n");
    const env = Object.freeze({
      HOME: root,
      TOKEN: "t",
      npm_config_fetch_retries: "7",
      npm_config_prefix: root,
    });
    expect(await readNpmOptions(project, env)).toMatchObject({
      registry: "https://r.test/",
      "@s:registry": "https://s.test/",
      "//s.test/:_authToken": "t",
      proxy: "http://proxy.test:1/",
    });
  });

  it("has npm's defaults where nothing is configured", async () => {
    const root = tempDir();
    const options = await readNpmOptions(root, { HOME: root, npm_config_prefix: root });
    expect(options).toMatchObject({
      strictSSL: true,
      timeout: expect.any(Number),
      registry: expect.any(String),
    });
  });

  it("says so when npm's configuration contradicts itself", async () => {
    const root = tempDir();
    writeFileSync(join(root, "rc"), "");
    const env = {
      HOME: root,
      npm_config_userconfig: join(root, "rc"),
      npm_config_globalconfig: join(root, "rc"),
    };
    await expect(readNpmOptions(root, env)).rejects.toMatchObject({ code: "fetch.npm-config" });
  });
});
