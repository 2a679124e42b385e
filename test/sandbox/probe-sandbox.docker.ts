import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ContractRow } from "../../src/sandbox/contract-row.ts";
import { dockerSandbox } from "../../src/sandbox/docker-sandbox.ts";
import type { HostNeeds } from "../../src/sandbox/host-needs.ts";
import { probeSandbox } from "../../src/sandbox/probe-sandbox.ts";
import { agentRun, agentSetup, toolsPath, trapSetup } from "./support/box-setup.ts";
import { createBusyboxImage } from "./support/busybox-image.ts";
import { type Box, countExecs, createBox, startDocker } from "./support/docker-box.ts";
import { runCliText } from "./support/run-cli-text.ts";

let image = "";
let busyboxImage = "";
beforeAll(async () => {
  image = await startDocker();
  busyboxImage = await createBusyboxImage(image);
});

interface ProbeRow {
  readonly name: string;
  readonly image?: () => string;
  readonly run?: readonly string[];
  readonly setup?: string;
  readonly user?: string;
  readonly shell?: "bash" | "sh";
  readonly exit: 0 | 1 | 3;
  /** Every row that is not ok, as `id code`, sorted; a user who is root is one of them. */
  readonly findings: readonly string[];
}

const rootAdvice = "user sandbox.can-become-root";

const rows: readonly ProbeRow[] = [
  { name: "Debian with dash", setup: agentSetup, exit: 0, findings: [] },
  { name: "bash, declared", setup: agentSetup, shell: "bash", exit: 0, findings: [] },
  {
    name: "sh is bash",
    setup: `${agentSetup}ln -sf bash /bin/sh`,
    exit: 0,
    findings: [],
  },
  {
    name: "busybox only",
    image: () => busyboxImage,
    user: "0",
    exit: 1,
    findings: [
      "command:claude sandbox.command-missing",
      "command:codex sandbox.command-missing",
      "command:node sandbox.command-missing",
      rootAdvice,
    ],
  },
  {
    name: "bash declared and absent",
    setup: `${agentSetup}rm -f /bin/bash`,
    shell: "bash",
    exit: 1,
    findings: ["shell:bash sandbox.no-shell"],
  },
  { name: "without tar", setup: `${agentSetup}rm -f /bin/tar`, exit: 1, findings: ["tar sandbox.no-tar"] },
  {
    name: "a tar that does nothing",
    setup: `${agentSetup}printf '#!/bin/sh\\nexit 0\\n' >/opt/tools/tar;chmod 755 /opt/tools/tar`,
    exit: 1,
    findings: ["tar sandbox.tar-broken"],
  },
  {
    name: "read-only home",
    setup: `${agentSetup}chown -R root: /home/agent;chmod -R a-w /home/agent`,
    exit: 1,
    findings: ["dir:cache sandbox.not-writable", "dir:home sandbox.not-writable"],
  },
  {
    name: "a home that is missing, with a cache elsewhere",
    run: [...agentRun, "-e", "HOME=/home/nobody", "-e", "XDG_CACHE_HOME=/tmp/cache/deep"],
    setup: agentSetup,
    exit: 1,
    findings: ["dir:home sandbox.not-writable"],
  },
  {
    name: "a workspace on a full file system",
    run: [...agentRun, "--tmpfs", "/small:size=8k,mode=1777", "-e", "TMPDIR=/small"],
    setup: `${agentSetup}dd if=/dev/zero of=/small/fill bs=8k count=1 2>/dev/null;:`,
    exit: 1,
    findings: ["dir:temp sandbox.not-writable"],
  },
  {
    name: "noexec /tmp",
    run: [...agentRun, "--tmpfs", "/tmp:noexec,mode=1777"],
    setup: agentSetup,
    exit: 0,
    findings: ["exec:temp sandbox.no-exec"],
  },
  {
    name: "a profile that prints a banner and breaks PATH is not read",
    setup: agentSetup + trapSetup,
    shell: "bash",
    exit: 0,
    findings: [],
  },
  {
    name: "a fake node early in PATH",
    run: ["-e", `PATH=/fake:${toolsPath}`, "-e", "HOME=/home/agent"],
    setup: `${agentSetup}mkdir /fake;printf '#!/bin/sh\\necho ok\\n' >/fake/node;chmod 755 /fake/node`,
    exit: 1,
    findings: ["command:node sandbox.node-broken", "shadowed:node sandbox.command-shadowed"],
  },
  {
    // Where sh is dash, an exported function does not get past it, to a run no more than to the probe.
    name: "a function named codex",
    run: [...agentRun, "-e", "BASH_FUNC_codex%%=() { echo hi; }"],
    setup: `${agentSetup}ln -sf bash /bin/sh`,
    shell: "bash",
    exit: 1,
    findings: ["command:codex sandbox.command-not-path"],
  },
  {
    name: "PATH with a relative entry that has codex",
    run: ["-e", `PATH=bin:${toolsPath}:`, "-e", "HOME=/home/agent", "-w", "/workspace"],
    setup: `${agentSetup}mkdir /workspace/bin;cp /opt/tools/codex /workspace/bin/`,
    exit: 1,
    findings: ["command:codex sandbox.command-not-path", "path sandbox.relative-path-entry"],
  },
  {
    name: "no hash tool: could not be told",
    setup: `${agentSetup}rm -f /usr/bin/openssl /usr/bin/sha256sum /bin/busybox /usr/bin/shasum`,
    exit: 3,
    findings: ["hash sandbox.no-hash-tool"],
  },
  {
    name: "a hash tool that lies is passed over",
    setup: `${agentSetup}printf '#!/bin/sh\\necho 0000\\n' >/usr/bin/openssl`,
    exit: 0,
    findings: [],
  },
  {
    name: "no rm: nothing is written, and it is said that it could not be told",
    setup: `${agentSetup}/bin/busybox rm -f /bin/busybox.x;rm -f /bin/busybox /bin/rm`,
    exit: 3,
    findings: [
      "dir:cache sandbox.unknown-fact",
      "dir:home sandbox.unknown-fact",
      "dir:temp sandbox.unknown-fact",
      "dir:workspace sandbox.unknown-fact",
      "tar sandbox.unknown-fact",
    ],
  },
  { name: "root", setup: agentSetup, user: "0", exit: 0, findings: [rootAdvice] },
  {
    name: "a user who may sudo",
    setup: `${agentSetup}printf '#!/bin/sh\\nshift;exec "$@"\\n' >/usr/bin/sudo;chmod 755 /usr/bin/sudo`,
    exit: 0,
    findings: [rootAdvice],
  },
];

describe("probe over docker, one exec each", () => {
  for (const row of rows) {
    test(row.name, async () => {
      const { image: from = () => image, run = agentRun, setup } = row;
      const box = await createBox({ image: from(), run, ...(setup === undefined ? {} : { setup }) });
      try {
        await checkRow(box, row);
      } finally {
        await box.remove();
      }
    });
  }
});

async function checkRow(box: Box, row: ProbeRow): Promise<void> {
  const before = await snapshot(box);
  const sandbox = dockerSandbox(box.name, { user: row.user ?? "agent" });
  let report: Awaited<ReturnType<typeof probeSandbox>> | undefined;
  const execs = await countExecs(box.name, async () => {
    report = await probeSandbox(sandbox, {
      commands: ["codex", "claude"],
      shell: row.shell ?? "sh",
      workspace: "/workspace",
    });
  });
  expect(toFindings(report?.rows ?? [])).toEqual(row.findings);
  expect({ exit: report?.exit, execs }).toEqual({ exit: row.exit, execs: 1 });
  expect(await snapshot(box)).toBe(before);
}

function toFindings(rows: readonly ContractRow[]): string[] {
  return rows.flatMap((row) => (row.state === "ok" ? [] : [`${row.id} ${row.code}`])).sort();
}

/** Every file outside /proc, /sys and /dev with its size and change time: a probe leaves nothing and changes nothing. */
function snapshot(box: Box): Promise<string> {
  const find =
    "find / -xdev \\( -path /proc -o -path /sys -o -path /dev \\) -prune -o -type f -exec stat -c '%n %s %Z' {} + 2>/dev/null|sort";
  return box.root(find);
}

describe("probe with a pack's host needs", () => {
  const needs: HostNeeds = {
    platform: "linux",
    architecture: "x64",
    elfInterpreters: ["/lib64/ld-linux-x86-64.so.2"],
    libraries: ["libc.so.6", "libm.so.6"],
    glibc: "2.28",
    glibcxx: "3.4.21",
    cpu: [],
    bytes: 1_000_000,
  };
  const impossible: HostNeeds = {
    ...needs,
    architecture: "arm64",
    elfInterpreters: ["/lib/ld-linux-aarch64.so.1"],
    libraries: ["libabsent.so.9"],
    glibc: "2.99",
    glibcxx: "3.4.99",
    cpu: ["nosuchflag"],
    bytes: Number.MAX_SAFE_INTEGER,
  };
  let box: Box;
  let tiny: Box;
  beforeAll(async () => {
    box = await createBox({ image, run: agentRun, setup: agentSetup });
    tiny = await createBox({ image: busyboxImage, run: agentRun });
  });
  afterAll(async () => {
    await box.remove();
    await tiny.remove();
  });
  const probe = (name: string, wanted: HostNeeds) =>
    probeSandbox(dockerSandbox(name), { commands: [], needs: wanted });
  const hostFindings = (rows: readonly ContractRow[]) =>
    toFindings(rows.filter((row) => row.rule === "B9" || row.id === "space"));

  test("met", async () => {
    expect(hostFindings((await probe(box.name, needs)).rows)).toEqual([]);
  });

  test("not met, each with its own code", async () => {
    expect(hostFindings((await probe(box.name, impossible)).rows)).toEqual([
      "cpu:nosuchflag sandbox.missing-cpu-feature",
      "elf:/lib/ld-linux-aarch64.so.1 sandbox.no-elf-interpreter",
      "glibc sandbox.old-glibc",
      "glibcxx sandbox.old-libstdcxx",
      "lib:libabsent.so.9 sandbox.missing-library",
      "platform sandbox.wrong-platform",
      "space sandbox.no-space",
    ]);
  });

  test("a host without glibc: its loader is missing, its version could not be told", async () => {
    expect(hostFindings((await probe(tiny.name, needs)).rows)).toEqual([
      "elf:/lib64/ld-linux-x86-64.so.2 sandbox.no-elf-interpreter",
      "glibc sandbox.unknown-fact",
      "glibcxx sandbox.old-libstdcxx",
      "lib:libc.so.6 sandbox.missing-library",
      "lib:libm.so.6 sandbox.missing-library",
    ]);
  });
});

describe("probe on the command line", () => {
  let box: Box;
  beforeAll(async () => {
    box = await createBox({ image, run: [...agentRun, "-u", "1000"], setup: agentSetup });
  });
  afterAll(() => box.remove());

  test("exit 0 and one document", async () => {
    const outcome = await runCliText("probe", `docker:${box.name}`, "--commands", "codex", "--json");
    expect(outcome).toMatchObject({ exit: 0, stderr: "" });
    expect(JSON.parse(outcome.stdout)).toMatchObject({ target: `docker:${box.name}`, exit: 0 });
  });

  test("exit 1 names the missing command and the remedy", async () => {
    const outcome = await runCliText("probe", `docker:${box.name}`, "--commands", "codex,gemini");
    expect(outcome.exit).toBe(1);
    expect(outcome.stdout).toMatch(
      /FAILED {3}S1 {2}command:gemini +gemini is not on PATH.*\n +sandbox.command-missing: /,
    );
  });

  test("exit 3 where nothing can be told, exit 2 for a bad question", async () => {
    expect((await runCliText("probe", "docker:absent-box")).exit).toBe(3);
    for (const args of [
      ["docker:a b"],
      ["local:here"],
      ["docker:x", "--shell", "zsh"],
      ["docker:x", "--commands", "-x"],
    ]) {
      expect((await runCliText("probe", ...args)).exit).toBe(2);
    }
  });

  test("a file that is no manifest is refused before anything is asked", async () => {
    const directory = await mkdtemp(join(tmpdir(), "sealpack-probe-"));
    await writeFile(join(directory, "m.json"), "{}");
    const outcome = await runCliText("probe", `docker:${box.name}`, "--manifest", join(directory, "m.json"));
    expect(outcome.stderr).toMatch(/^sealpack: manifest\./);
    await rm(directory, { recursive: true });
  });
});
