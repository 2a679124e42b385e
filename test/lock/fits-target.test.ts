import { describe, expect, it } from "vitest";
import { type TargetId, toTarget } from "../../src/definition/target.ts";
import { fitsTarget } from "../../src/lock/fits-target.ts";

const any = { os: [], cpu: [], libc: [] };

describe("fitsTarget", () => {
  it.each<[Partial<typeof any> & object, TargetId, boolean]>([
    [{}, "linux-x64", true],
    [{ os: ["linux"] }, "linux-x64", true],
    [{ os: ["darwin"] }, "linux-x64", false],
    [{ os: ["any"] }, "linux-x64", true],
    [{ os: ["!win32"] }, "linux-x64", true],
    [{ os: ["!linux"] }, "linux-x64", false],
    [{ os: ["!win32", "darwin"] }, "linux-x64", false],
    [{ os: ["!win32", "linux"] }, "linux-x64", true],
    [{ os: ["linux", "!linux"] }, "linux-x64", false],
    [{ cpu: ["x64", "arm64"] }, "linux-arm64", true],
    [{ cpu: ["x64"] }, "linux-arm64", false],
    [{ libc: ["glibc"] }, "linux-x64", true],
    [{ libc: ["glibc"] }, "linux-x64-musl", false],
    [{ libc: ["musl"] }, "linux-x64", false],
    [{ libc: ["musl"] }, "linux-arm64-musl", true],
    [{ libc: ["!musl"] }, "linux-x64", true],
    [{ libc: ["glibc"] }, "darwin-arm64", false],
    [{ os: ["darwin"] }, "darwin-arm64", true],
  ] as never)("%j on %s is %s", (limits: object, target: TargetId, expected: boolean) => {
    expect(fitsTarget({ ...any, ...limits }, toTarget(target))).toBe(expected);
  });
});
