import { Buffer } from "node:buffer";
import { expect, test } from "vitest";
import { assertCommand } from "../../src/sandbox/assert-command.ts";
import { scriptedSandbox } from "../../src/sandbox/scripted-sandbox.ts";

const command = { command: "true", timeoutMs: 1000 };

test("each command takes the first remaining step that fits, and is recorded", async () => {
  const sandbox = scriptedSandbox([
    { when: ({ command: name }) => name === "b", reply: () => ({ stdout: "b", exitCode: 3 }) },
    { reply: () => ({ stdout: Buffer.from([0xff]), timedOut: true }) },
  ]);
  expect(await sandbox.execute(command)).toMatchObject({
    exitCode: 0,
    timedOut: true,
    stdout: Buffer.from([0xff]),
  });
  expect(await sandbox.execute({ ...command, command: "b" })).toMatchObject({ exitCode: 3 });
  expect(sandbox.calls.map((call) => call.command)).toEqual(["true", "b"]);
});

test("a command without a step is an error, never a silent success", async () => {
  await expect(scriptedSandbox([]).execute(command)).rejects.toMatchObject({
    code: "sandbox.script-exhausted",
  });
});

test("uploads are kept where the capability is given, and absent where not", async () => {
  const sandbox = scriptedSandbox([], { upload: true });
  await sandbox.upload?.("/x", Buffer.from("y"));
  expect([...sandbox.uploads]).toEqual([["/x", Buffer.from("y")]]);
  expect(scriptedSandbox([]).upload).toBeUndefined();
});

test("the launch-time probe: could not tell is not missing", async () => {
  const answering = (reply: object) => assertCommand(scriptedSandbox([{ reply: () => reply }]), "codex");
  await expect(answering({ exitCode: 1 })).rejects.toMatchObject({
    code: "sandbox.command-missing",
    exit: 1,
  });
  await expect(answering({ exitCode: 127 })).rejects.toMatchObject({ code: "sandbox.no-answer", exit: 3 });
  await expect(answering({ exitCode: 0, timedOut: true })).rejects.toMatchObject({
    code: "sandbox.no-answer",
  });
  await expect(answering({ stdout: "/bin/codex\n" })).rejects.toMatchObject({ code: "sandbox.no-answer" });
  await expect(assertCommand(scriptedSandbox([]), "a;b")).rejects.toMatchObject({
    code: "sandbox.bad-command",
  });
});
