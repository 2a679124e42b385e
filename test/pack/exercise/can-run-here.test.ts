import { describe, expect, it } from "vitest";
import { toTarget } from "../../../src/definition/target.ts";
import { canRunHere, readMachine } from "../../../src/pack/exercise/can-run-here.ts";

const debian = { platform: "linux", architecture: "x64", libc: "glibc" } as const;

describe("canRunHere", () => {
  it.each([
    ["linux-x64", true],
    ["linux-arm64", false],
    ["linux-x64-musl", false],
    ["darwin-x64", false],
  ] as const)("%s on Debian x64: %s", (id, expected) => {
    expect(canRunHere(toTarget(id), debian)).toBe(expected);
  });

  it("knows the machine it runs on", () => {
    expect(readMachine()).toMatchObject({ platform: process.platform, architecture: process.arch });
  });
});
