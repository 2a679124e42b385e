import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dockerCapabilities, dockerSandbox } from "../../src/sandbox/docker-sandbox.ts";
import { createNonce } from "../../src/sandbox/nonce.ts";
import { toRemoteCommand } from "../../src/sandbox/remote-command.ts";
import { toSupervisedScript } from "../../src/sandbox/supervisor.ts";
import { agentRun, agentSetup, profileFiles, trapSetup } from "./support/box-setup.ts";
import { createBusyboxImage } from "./support/busybox-image.ts";
import { type Box, createBox, docker, startDocker } from "./support/docker-box.ts";
import { executorSuite } from "./support/executor-suite.ts";
import { ownChildren } from "./support/processes.ts";

let image = "";
let dash: Box;
let bash: Box;
let busybox: Box;

beforeAll(async () => {
  image = await startDocker();
  dash = await createBox({ image, run: agentRun, setup: agentSetup + trapSetup });
  const shIsBash = "ln -sf bash /bin/sh";
  bash = await createBox({ image, run: agentRun, setup: `${agentSetup}${shIsBash}` });
  busybox = await createBox({ image: await createBusyboxImage(image), run: agentRun });
});
afterAll(async () => {
  for (const box of [dash, bash, busybox]) await box?.remove();
});

executorSuite("docker, dash, unprivileged, trapped profiles", dockerCapabilities, () =>
  dockerSandbox(dash.name, { user: "agent" }),
);
executorSuite("docker, sh is bash", dockerCapabilities, () => dockerSandbox(bash.name));
executorSuite("docker, busybox only", dockerCapabilities, () => dockerSandbox(busybox.name));

describe("docker", () => {
  test("no profile or rc file was read or changed by all of the above", async () => {
    expect(await dash.root("ls /trap")).toBe("");
    const digests = await dash.root(`sha256sum ${profileFiles}`);
    const fresh = await createBox({ image, setup: agentSetup + trapSetup });
    try {
      expect(digests).toBe(await fresh.root(`sha256sum ${profileFiles}`));
    } finally {
      await fresh.remove();
    }
    // The trap works: a login shell springs it.
    await docker(["exec", "-u", "agent", dash.name, "bash", "-l", "-c", "true"]);
    expect(await dash.root("ls /trap")).toBe("read\n");
    await dash.root("rm /trap/read");
  });

  test("a container that is not there was not reached", async () => {
    const call = dockerSandbox("no-such-container").execute({ command: "true", timeoutMs: 5000 });
    await expect(call).rejects.toMatchObject({ code: "sandbox.not-reached", exit: 3 });
  });

  test("an engine that is not there was not reached; a client that is not there is named", async () => {
    const environment = { ...process.env, DOCKER_HOST: "unix:///nowhere/docker.sock" };
    const lost = dockerSandbox(dash.name, { environment }).execute({ command: "true", timeoutMs: 5000 });
    await expect(lost).rejects.toMatchObject({ code: "sandbox.not-reached" });
    const empty = dockerSandbox(dash.name, { environment: { PATH: "/nowhere" } });
    await expect(empty.execute({ command: "true", timeoutMs: 5000 })).rejects.toMatchObject({
      code: "sandbox.no-client",
    });
  });

  test("a container that dies in the middle: ended early, not an exit code", async () => {
    const box = await createBox({ image });
    const call = dockerSandbox(box.name).execute({ command: "sleep", args: ["60"], timeoutMs: 30_000 });
    const outcome = expect(call).rejects.toMatchObject({ code: "sandbox.ended-early", exit: 3 });
    await delay(700);
    await box.kill();
    await outcome;
    await box.remove();
    expect(await ownChildren()).toEqual([]);
  });

  test("a client killed in the middle: the watchdog ends the command in the container", async () => {
    const nonce = createNonce();
    const script = toSupervisedScript({ command: "sleep", args: ["4242"], timeoutMs: 8000 }, { nonce });
    const line = toRemoteCommand(script, nonce, 98_304);
    const child = docker(["exec", dash.name, "/bin/sh", "-c", line]).catch(() => "");
    await delay(1000);
    const find =
      "for f in /proc/[0-9]*/cmdline;do tr '\\0' ' ' <$f 2>/dev/null&&echo;done|grep 'sleep 424[2]'||:";
    expect(await dash.root(find)).toContain("sleep 4242");
    for (const pid of await ownChildren()) process.kill(pid, "SIGKILL");
    await child;
    await delay(1000);
    expect(await dash.root(find)).toContain("sleep 4242");
    await delay(8000);
    for (let second = 0; second < 5 && (await dash.root(find)) !== ""; second += 1) await delay(1000);
    expect(await dash.root(find)).toBe("");
  });

  test("no base64 tool: said as such", async () => {
    const setup = "rm -f /usr/bin/base64 /bin/busybox /usr/bin/openssl";
    const box = await createBox({ image, setup });
    const call = dockerSandbox(box.name).execute({ command: "true", timeoutMs: 5000 });
    await expect(call).rejects.toMatchObject({ code: "sandbox.no-decoder", exit: 3 });
    await box.remove();
  });

  test("with openssl or busybox as the only decoder", async () => {
    for (const gone of ["/usr/bin/base64 /bin/busybox", "/usr/bin/base64 /usr/bin/openssl"]) {
      const box = await createBox({ image, setup: `rm -f ${gone}` });
      const big = dockerSandbox(box.name).execute({
        command: "printf",
        args: ["%s", "x".repeat(50_000)],
        timeoutMs: 5000,
      });
      expect((await big).stdout.length).toBe(50_000);
      await box.remove();
    }
  });

  test("the line passes a csh as the first reader, exclamation marks and all", async () => {
    const nonce = createNonce();
    const command = {
      command: "printf",
      args: ["%s|", "a!b!!", "'", "x\ny", "!".repeat(30_000)],
      timeoutMs: 5000,
    };
    const line = toRemoteCommand(toSupervisedScript(command, { nonce }), nonce, 98_304);
    const output = await docker(["exec", dash.name, "/bin/csh", "-c", line]);
    expect(output).toBe(`\n${nonce} begin\na!b!!|'|x\ny|${"!".repeat(30_000)}|\n${nonce} end 0\n`);
  });
});
