import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { probeSandbox } from "../../src/sandbox/probe-sandbox.ts";
import { sshCapabilities, sshSandbox } from "../../src/sandbox/ssh-sandbox.ts";
import { executorSuite } from "./support/executor-suite.ts";
import { ownChildren, processesWith } from "./support/processes.ts";
import { type Sshd, type SshUser, startSshd } from "./support/sshd.ts";

let server: Sshd;
beforeAll(async () => {
  server = await startSshd();
  for (const user of ["dash", "bash", "csh"] as const) await writeProfiles(user);
});
afterAll(() => server?.stop());

const profiles = {
  ".profile": "echo banner; echo noise >&2; : >$HOME/read.profile; PATH=/nowhere; export PATH\n",
  ".bash_profile": "echo banner; : >$HOME/read.bash_profile; PATH=/nowhere; export PATH\n",
  ".bashrc":
    "echo banner; : >$HOME/read.bashrc; PATH=/nowhere; export PATH; codex() { echo hi; }; export -f codex\n",
  ".cshrc": "echo banner\necho read > ~/read.cshrc\nsetenv PATH /nowhere\n",
  ".login": "echo read > ~/read.login\n",
} as const;

async function writeProfiles(user: SshUser): Promise<void> {
  for (const [name, text] of Object.entries(profiles)) await writeFile(join(server.home(user), name), text);
}

async function profilesOf(user: SshUser): Promise<Record<string, string>> {
  const names = Object.keys(profiles);
  const texts = await Promise.all(names.map((name) => readFile(join(server.home(user), name), "utf8")));
  return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? ""]));
}

const open = (user: SshUser) =>
  sshSandbox({ destination: `${user}@127.0.0.1`, port: server.port }, { configFile: server.clientConfig });

executorSuite("ssh, dash user", sshCapabilities, () => open("dash"));

describe("ssh", () => {
  test("no profile was read for a dash user, and none was changed", async () => {
    expect((await readdir(server.home("dash"))).filter((name) => name.startsWith("read."))).toEqual([]);
    expect(await profilesOf("dash")).toEqual(profiles);
  });

  for (const user of ["bash", "csh"] as const) {
    test(`${user} user: what sshd's shell reads first is noise, dropped; the command arrives whole`, async () => {
      const args = [
        "-c",
        'printf "%s|" "$@"; echo err >&2; exit 5',
        "sh",
        "a!b!!'\n\"$x",
        "!".repeat(30_000),
      ];
      const result = await open(user).execute({ command: "/bin/sh", args, timeoutMs: 10_000 });
      const text = Buffer.from(result.stdout).toString("utf8");
      expect(text).toBe(`a!b!!'\n"$x|${"!".repeat(30_000)}|`);
      expect([result.exitCode, Buffer.from(result.stderr).toString("utf8")]).toEqual([5, "err\n"]);
      expect(await profilesOf(user)).toEqual(profiles);
    });
  }

  test("a connection cut in the middle: ended early; the watchdog ends the command on the other side", async () => {
    const marker = randomBytes(8).toString("hex");
    const command = { command: "sleep", args: ["300"], timeoutMs: 4000, env: { MARKER: marker } };
    const outcome = expect(open("dash").execute(command)).rejects.toMatchObject({
      code: "sandbox.ended-early",
      exit: 3,
    });
    await until(async () => (await processesWith(open("dash"), marker)).length === 1);
    await server.cut();
    await outcome;
    expect(await ownChildren()).toEqual([]);
    await delay(6000);
    expect(await processesWith(open("dash"), marker)).toEqual([]);
  });

  test("a host that does not answer, a user who may not enter: not reached", async () => {
    const nowhere = sshSandbox(
      { destination: "dash@127.0.0.1", port: 1 },
      { configFile: server.clientConfig },
    );
    const stranger = sshSandbox(
      { destination: "stranger@127.0.0.1", port: server.port },
      { configFile: server.clientConfig },
    );
    for (const sandbox of [nowhere, stranger]) {
      const call = sandbox.execute({ command: "true", timeoutMs: 10_000 });
      await expect(call).rejects.toMatchObject({ code: "sandbox.not-reached", exit: 3 });
    }
  });

  test("the configuration's host alias is honoured", async () => {
    const config = join(server.directory, "alias_config");
    const alias = `Host box\n  HostName 127.0.0.1\n  Port ${server.port}\n  User dash\n`;
    await writeFile(config, `${alias}${await readFile(server.clientConfig, "utf8")}`);
    const result = await sshSandbox({ destination: "box" }, { configFile: config }).execute({
      command: "pwd",
      timeoutMs: 10_000,
    });
    expect(Buffer.from(result.stdout).toString("utf8")).toBe(`${server.home("dash")}\n`);
  });
});

describe("probe over ssh", () => {
  const findings = async (user: SshUser, shell: "sh" | "bash") => {
    const options = { commands: ["codex"], shell, workspace: server.home(user) };
    const { rows, facts, exit } = await probeSandbox(open(user), options);
    const wrong = rows.filter(
      (row) => row.state !== "ok" && row.id !== "command:node" && !row.id.startsWith("shadowed"),
    );
    return { exit, path: facts.path, wrong: wrong.map((row) => `${row.id} ${row.code}`) };
  };

  test("dash user: the PATH that sshd gives", async () => {
    expect(await findings("dash", "sh")).toEqual({
      exit: 1,
      path: `${server.directory}/bin:/usr/bin:/bin`,
      wrong: ["command:codex sandbox.command-missing"],
    });
  });

  test("bash user: the PATH that .bashrc broke is reported, not believed", async () => {
    const { exit, path, wrong } = await findings("bash", "sh");
    expect({ exit, path }).toEqual({ exit: 1, path: "/nowhere" });
    expect(wrong).toEqual([
      "command:codex sandbox.command-missing",
      "sh sandbox.no-shell",
      "tar sandbox.no-tar",
    ]);
  });

  test("csh user: the same", async () => {
    expect(await findings("csh", "sh")).toMatchObject({ exit: 1, path: "/nowhere" });
  });

  test("a contract that is met", async () => {
    const bin = join(server.directory, "bin");
    await writeFile(join(bin, "codex"), "#!/bin/sh\n", { mode: 0o755 });
    await writeFile(join(bin, "node"), "#!/bin/sh\necho v24.21.0\n", { mode: 0o755 });
    const report = await probeSandbox(open("dash"), { commands: ["codex"], workspace: server.home("dash") });
    expect(report.rows.filter((row) => row.state !== "ok" && row.level === "required")).toEqual([]);
    expect(report.exit).toBe(0);
  });
});

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 50 && !(await condition()); attempt += 1) await delay(100);
}
