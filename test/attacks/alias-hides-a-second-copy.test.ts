import { expect, test } from "vitest";
import { codesOf, entry, root } from "../lock/small-lock.ts";

test("an alias that brings a second, older copy of a driven CLI", async () => {
  const lock = {
    packageJson: { ...root, dependencies: { bridge: "1.0.0", cli: "2.0.0" } },
    packages: {
      bridge: entry("1.0.0", { dependencies: { cli: "*", harmless: "npm:cli@1.0.0" } }),
      cli: entry("2.0.0"),
      harmless: entry("1.0.0", { name: "cli" }),
    },
    definition: { bridges: { bridge: { package: "bridge", version: "1.0.0", drives: "cli" } } },
  };
  expect(await codesOf(lock)).toEqual(["lock.second-copy"]);
});
