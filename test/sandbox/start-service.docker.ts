import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dockerSandbox } from "../../src/sandbox/docker-sandbox.ts";
import type { SandboxCommand, SandboxExecutor } from "../../src/sandbox/executor.ts";
import { type ServiceOptions, startService } from "../../src/sandbox/start-service.ts";
import { agentRun, agentSetup, trapSetup } from "./support/box-setup.ts";
import { type Box, createBox, startDocker } from "./support/docker-box.ts";
import { processesWith } from "./support/processes.ts";

let box: Box;
beforeAll(async () => {
  box = await createBox({ image: await startDocker(), run: agentRun, setup: agentSetup + trapSetup });
});
afterAll(() => box.remove());

/** Notes which shell each command was given to. */
function recording(): { sandbox: SandboxExecutor; calls: SandboxCommand[] } {
  const inner = dockerSandbox(box.name, { user: "agent" });
  const calls: SandboxCommand[] = [];
  const execute = (command: SandboxCommand) => {
    calls.push(command);
    return inner.execute(command);
  };
  return { sandbox: { ...inner, execute }, calls };
}

const service =
  "touch /tmp/up.$$; mv /tmp/up.$$ /tmp/up; trap 'rm /tmp/up; exit 0' TERM; while :; do sleep 0.2; done";
const base = { command: service, ready: "[ -e /tmp/up ]", readyMs: 10_000 } satisfies Omit<
  ServiceOptions,
  "sandbox"
>;

describe("startService", () => {
  for (const shellCommand of ["sh", "bash", null, undefined]) {
    test(`shellCommand ${shellCommand}: start, readiness and stop go through it; nothing is left`, async () => {
      const { sandbox, calls } = recording();
      const running = await startService({
        ...base,
        sandbox,
        stop: "echo stopping >/tmp/stopped",
        ...(shellCommand === undefined ? {} : { shellCommand }),
        env: { SERVICE_TEST: "a1b2c3" },
      });
      expect((await processesWith(sandbox, "a1b2c3")).length).toBeGreaterThan(0);
      const count = calls.length;
      await running.stop();
      await running.stop();
      const own = [...calls.slice(0, count - 1), ...calls.slice(count)];
      expect(new Set(own.map(({ command }) => command))).toEqual(new Set([shellCommand ?? "sh"]));
      expect(await processesWith(sandbox, "a1b2c3")).toEqual([]);
      expect(await box.root("ls /tmp")).toBe("stopped\n");
      await box.root("rm /tmp/stopped");
    });
  }

  test("a service that ignores TERM and forks is ended all the same", async () => {
    const { sandbox } = recording();
    const command = "trap '' TERM; (setsid sleep 500) & touch /tmp/up; while :; do sleep 1; done";
    const running = await startService({ ...base, command, sandbox, env: { SERVICE_TEST: "d4e5f6" } });
    await running.stop();
    expect(await processesWith(sandbox, "d4e5f6")).toEqual([]);
    await box.root("rm /tmp/up");
  });

  test("a service that ends before it is ready: said soon, with its log", async () => {
    const { sandbox } = recording();
    const started = performance.now();
    const call = startService({
      ...base,
      command: "echo port is taken >&2; exit 3",
      sandbox,
      readyMs: 60_000,
    });
    await expect(call).rejects.toMatchObject({
      code: "sandbox.service-not-ready",
      details: { log: "port is taken" },
    });
    expect(performance.now() - started).toBeLessThan(30_000);
    expect(await box.root("ls /tmp")).toBe("");
  });

  test("a service that is never ready is ended, and nothing is left", async () => {
    const { sandbox } = recording();
    const command = "echo waiting; exec sleep 600";
    const call = startService({
      ...base,
      command,
      ready: "false",
      sandbox,
      readyMs: 1500,
      env: { SERVICE_TEST: "070809" },
    });
    await expect(call).rejects.toMatchObject({ code: "sandbox.service-not-ready" });
    expect(await processesWith(sandbox, "070809")).toEqual([]);
    expect(await box.root("ls /tmp /trap")).toBe("/tmp:\n\n/trap:\n");
  });

  test("no place for its log: not started", async () => {
    const { sandbox } = recording();
    const call = startService({ ...base, sandbox, env: { TMPDIR: "/nowhere" } });
    await expect(call).rejects.toMatchObject({ code: "sandbox.service-not-started" });
  });
});
