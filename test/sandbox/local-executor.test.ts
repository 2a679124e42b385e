import { Buffer } from "node:buffer";
import { describe, expect, test } from "vitest";
import type { SandboxExecutor } from "../../src/sandbox/executor.ts";
import { localExecutor } from "../../src/sandbox/local-executor.ts";
import { probeSandbox } from "../../src/sandbox/probe-sandbox.ts";

const local = localExecutor({ PATH: "/usr/bin:/bin", HOME: "/nonexistent", SECRET_TOKEN: "x" });
const sh = (script: string, more = {}) =>
  local.execute({ command: "sh", args: ["-c", script], timeoutMs: 10_000, ...more });

describe("local", () => {
  test("is a type of its own: what takes a sandbox does not take it (A2)", () => {
    // @ts-expect-error A local executor is no sandbox.
    const remote: SandboxExecutor = local;
    // @ts-expect-error Nor can a remote operation be called with it.
    const call = () => probeSandbox(local, { commands: [] });
    expect([remote.place, typeof call]).toEqual(["local", "function"]);
  });

  test("nothing of the environment but a path, a home and a temporary directory", async () => {
    const { stdout } = await sh("env|cut -d= -f1|grep -v -e PWD -e SHLVL -e _|sort");
    expect(Buffer.from(stdout).toString("utf8")).toBe("HOME\nPATH\n");
  });

  test("signals are named", async () => {
    expect(await sh("kill -9 $$")).toMatchObject({ exitCode: null, signal: "SIGKILL", timedOut: false });
  });

  test("a time limit ends the whole group; an abort rejects", async () => {
    expect(await sh("sleep 60 & sleep 60", { timeoutMs: 300 })).toMatchObject({ timedOut: true });
    const signal = AbortSignal.timeout(200);
    await expect(sh("sleep 60", { signal })).rejects.toMatchObject({ code: "sandbox.aborted" });
  });

  test("output is bounded and said so", async () => {
    const result = await sh("head -c 5000000 /dev/zero", { maxOutputBytes: 1000 });
    expect([result.stdout.length, result.stdoutTruncated, result.stderrTruncated]).toEqual([
      1000,
      true,
      false,
    ]);
  });

  test("a program that is not there is named", async () => {
    const call = local.execute({ command: "no-such-program", timeoutMs: 1000 });
    await expect(call).rejects.toMatchObject({
      code: "sandbox.no-client",
      message: expect.stringContaining("no-such"),
    });
  });
});
