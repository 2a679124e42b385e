import { expect, test } from "vitest";
import { daytonaSandbox } from "../../src/sandbox/daytona-sandbox.ts";
import { e2bSandbox } from "../../src/sandbox/e2b-sandbox.ts";
import { runnerSandbox } from "../../src/sandbox/runner-sandbox.ts";

const command = { command: "true", timeoutMs: 10_000 };
const daytona = (executeCommand: () => Promise<never>) =>
  daytonaSandbox({ id: "x", process: { executeCommand }, fs: { uploadFile: async () => {} } });
const e2b = (run: () => Promise<never>) =>
  e2bSandbox({ sandboxId: "x", commands: { run }, files: { write: async () => {} } });
const runner = (execute: () => Promise<never>) => runnerSandbox({ execute });

for (const open of [daytona, e2b, runner]) {
  test(`${open.name}: an SDK that fails did not reach; one that fails when time is up timed out`, async () => {
    const fails = async () => {
      throw new Error("503");
    };
    await expect(open(fails).execute(command)).rejects.toMatchObject({ code: "sandbox.not-reached" });
    const late = async () => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      throw new Error("deadline exceeded");
    };
    expect(await open(late).execute({ ...command, timeoutMs: 20 })).toMatchObject({
      timedOut: true,
      exitCode: null,
    });
  });

  test(`${open.name}: an answer of another shape is named as such`, async () => {
    for (const reply of [
      {},
      { exitCode: "0" },
      { exitCode: 0, result: 1, stdout: 1, stderr: "", timedOut: false },
    ]) {
      await expect(open(async () => reply as never).execute(command)).rejects.toMatchObject({
        code: "sandbox.bad-reply",
      });
    }
  });

  test(`${open.name}: output without the marks did not reach`, async () => {
    const reply = { exitCode: 0, result: "hi", stdout: "hi", stderr: "", timedOut: false };
    await expect(open(async () => reply as never).execute(command)).rejects.toMatchObject({
      code: "sandbox.not-reached",
    });
  });
}
