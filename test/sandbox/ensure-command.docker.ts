import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { assertCommand } from "../../src/sandbox/assert-command.ts";
import { dockerSandbox } from "../../src/sandbox/docker-sandbox.ts";
import { ensureCommand } from "../../src/sandbox/ensure-command.ts";
import { type Box, createBox, startDocker } from "./support/docker-box.ts";
import { runCliText } from "./support/run-cli-text.ts";

let image = "";
let box: Box;
beforeAll(async () => {
  image = await startDocker();
});
beforeEach(async () => {
  box = await createBox({ image, setup: "cp /etc/profile /profile.before" });
});
afterEach(() => box.remove());

/** Slow enough for two callers to meet, and every run is counted. */
const install =
  "echo run >>/runs; sleep 2; printf '#!/bin/sh\\necho hi\\n' >/tmp/new; chmod 755 /tmp/new; mv /tmp/new /usr/local/bin/gemini; echo installed gemini";
const runs = () => box.root("cat /runs 2>/dev/null|wc -l").then((text) => Number(text.trim()));
const open = () => dockerSandbox(box.name);

describe("install flow", () => {
  test("absent: installed once; present: skipped", async () => {
    const first = await ensureCommand({ sandbox: open(), command: "gemini", install });
    expect(first).toMatchObject({ state: "installed", present: true, exitCode: 0 });
    expect(first.log).toContain("installed gemini");
    const second = await ensureCommand({ sandbox: open(), command: "gemini", install });
    expect(second).toMatchObject({ state: "present", present: true, exitCode: null });
    expect(await assertCommand(open(), "gemini")).toBe("/usr/local/bin/gemini");
    expect(await runs()).toBe(1);
  });

  test("two callers at once, across processes: one install, both find it there, no lock is left", async () => {
    const calls = [open(), open()].map((sandbox) => ensureCommand({ sandbox, command: "gemini", install }));
    const states = (await Promise.all(calls)).map(({ state, present }) => `${state} ${present}`);
    expect(states.sort()).toEqual(["installed true", "present true"]);
    expect(await runs()).toBe(1);
    expect(await box.root("ls -A /tmp")).toBe("");
  });

  test("two callers at once in one process share one call", async () => {
    const sandbox = open();
    const calls = [1, 2, 3].map(() => ensureCommand({ sandbox, command: "gemini", install }));
    expect(new Set((await Promise.all(calls)).map(({ state }) => state))).toEqual(new Set(["installed"]));
    expect(await runs()).toBe(1);
  });

  test("a failing install is logged, not fatal, and not repeated by who waited; the launch-time probe fails loudly", async () => {
    const failing = "echo run >>/runs; echo 'no network' >&2; sleep 2; exit 7";
    const calls = [open(), open()].map((sandbox) =>
      ensureCommand({ sandbox, command: "gemini", install: failing }),
    );
    const results = await Promise.all(calls);
    expect(results.map(({ state }) => state).sort()).toEqual(["install-failed", "other-failed"]);
    const failed = results.find(({ state }) => state === "install-failed");
    expect(failed).toMatchObject({ present: false, exitCode: 7, log: expect.stringContaining("no network") });
    expect(await runs()).toBe(1);
    await expect(assertCommand(open(), "gemini")).rejects.toMatchObject({
      code: "sandbox.command-missing",
      exit: 1,
      message: expect.stringContaining("gemini"),
    });
  });

  test("an install that runs out of time is ended, and leaves no lock", async () => {
    const endless = "echo run >>/runs; sleep 600";
    const result = await ensureCommand({
      sandbox: open(),
      command: "gemini",
      install: endless,
      timeoutMs: 500,
    });
    expect(result).toMatchObject({ state: "unknown", present: false });
    expect(await box.root("ls -A /tmp")).toBe("");
  });

  test("a lock whose holder died is cleared, signed or not", async () => {
    const lock = "/tmp/sealpack-ensure-0-gemini.lock";
    for (const leave of [`mkdir ${lock};echo 999999 12345 >${lock}/owner`, `mkdir ${lock}`]) {
      await box.root(`rm -f /usr/local/bin/gemini;${leave}`);
      expect(await ensureCommand({ sandbox: open(), command: "gemini", install })).toMatchObject({
        state: "installed",
      });
    }
  });

  test("a lock that is held is waited for, and then said to be held", async () => {
    const hold = `mkdir /tmp/sealpack-ensure-0-gemini.lock;read -r l </proc/1/stat;set -- \${l##*) };shift 19;echo 1 $1 >/tmp/sealpack-ensure-0-gemini.lock/owner`;
    await box.root(hold);
    const result = await ensureCommand({ sandbox: open(), command: "gemini", install, timeoutMs: 2000 });
    expect(result).toMatchObject({ state: "lock-busy", present: false });
    expect(await runs()).toBe(0);
  });

  test("where no lock can be made, nothing is installed", async () => {
    const sandbox = dockerSandbox(box.name, { user: "65534" });
    await box.root("chmod 755 /tmp");
    const result = await ensureCommand({ sandbox, command: "gemini", install });
    expect(result).toMatchObject({ state: "lock-unavailable", present: false });
  });

  test("without an install command a missing command is named; no profile was touched", async () => {
    const outcome = await runCliText("ensure", `docker:${box.name}`, "gemini");
    expect(outcome).toMatchObject({ exit: 1, stdout: "" });
    expect(outcome.stderr).toMatch(/sandbox.command-missing: .*gemini on PATH/);
    expect(await box.root("cmp /etc/profile /profile.before;ls -A /root")).toBe(".bashrc\n.profile\n");
  });

  test("on the command line: the install's output on stderr, one document on stdout", async () => {
    const outcome = await runCliText(
      "ensure",
      `docker:${box.name}`,
      "gemini",
      "--install",
      install,
      "--json",
    );
    expect(outcome.exit).toBe(0);
    expect(JSON.parse(outcome.stdout)).toMatchObject({ path: "/usr/local/bin/gemini", state: "installed" });
    expect(outcome.stderr).toContain("installed gemini");
  });
});
