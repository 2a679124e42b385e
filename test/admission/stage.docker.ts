import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AdmissionRequest } from "../../src/admission/admission.ts";
import { dockerSandbox } from "../../src/sandbox/docker-sandbox.ts";
import type { SandboxExecutor } from "../../src/sandbox/executor.ts";
import { type Box, createBox, docker, startDocker } from "../sandbox/support/docker-box.ts";
import { type Outcome, tryAdmit } from "../support/admit-box.ts";
import { createPackedImage, type PackedImage, packPath } from "../support/packed-image.ts";
import { type TestPack, toRandom } from "../support/random-pack.ts";
import { restricted } from "../support/restricted-sandbox.ts";
import { writeRunnablePack } from "../support/runnable-pack.ts";

const work = mkdtempSync(join(tmpdir(), "sealpack-stage-"));
const changedFile = "node_modules/alpha/native";
const changedBytes = randomBytes(3_000_000);
const home = "/home/agent/.local/share/paperclip-runner/provider-pack";

let image = "";
/** The controller's, and what an image of an earlier release holds: one executable differs. */
let pack: TestPack;
let packed: PackedImage;
beforeAll(async () => {
  image = await startDocker();
  chmodSync(work, 0o755);
  const older = await writeRunnablePack(join(work, "older"));
  pack = await writeRunnablePack(join(work, "pack"), {
    [changedFile]: { bytes: changedBytes, executable: true },
  });
  packed = await createPackedImage(image, older.root);
});
afterAll(async () => {
  await packed?.remove();
  rmSync(work, { recursive: true, force: true });
});

interface BoxRequest {
  readonly packed?: boolean;
  readonly setup?: string;
  readonly run?: readonly string[];
}

async function withBox(options: BoxRequest, action: (box: Box) => Promise<void>): Promise<void> {
  const { setup = "", run = [] } = options;
  const user = options.packed ? "" : "useradd -m -u 1000 agent\n";
  const box = await createBox({
    image: options.packed ? packed.name : image,
    run,
    setup: `home=${home}\n${user}${setup}`,
  });
  try {
    await action(box);
  } finally {
    await box.remove();
  }
}

const agentOf = (box: Box) => dockerSandbox(box.name, { user: "agent" });

function stage(sandbox: SandboxExecutor, more: Partial<AdmissionRequest> = {}): Promise<Outcome> {
  const options = { pack: pack.root };
  return tryAdmit({ sandbox, expected: pack.manifest, commands: [], stage: options, ...more });
}

/** Whatever is left of stagings, anywhere they could be. */
const leftovers = (box: Box) => box.root("find / -xdev -name '.staging-*' -maxdepth 8 2>/dev/null; :");

const verified = (box: Box, root: string) =>
  box.root(
    `cd ${root} && awk -F'\\t' '$1~/^[fx]$/{print $3"  "$4}' sealpack.tree | sha256sum -c --quiet && echo sound`,
  );

const sent = zstdCompressSync(changedBytes).length;

describe("staging", () => {
  test("everything, on stdin, without tar", async () => {
    await withBox({ setup: "rm -f /bin/tar /usr/bin/tar" }, async (box) => {
      const { admission } = await stage(agentOf(box));
      expect(admission).toMatchObject({ decision: "staged", trust: "this-lease" });
      expect(admission?.root.startsWith(`${home}/`)).toBe(true);
      expect(admission?.report.staging).toMatchObject({ transport: "stdin", filesKept: 0 });
      expect(await verified(box, admission?.root ?? "")).toBe("sound\n");
      expect(await leftovers(box)).toBe("");
    });
  });

  test.each(["stdin", "upload", "text", "chunks"] as const)(
    "only what the sandbox lacks: %s",
    async (kind) => {
      await withBox({ packed: true }, async (box) => {
        const sandbox = kind === "stdin" ? agentOf(box) : restricted(agentOf(box), kind);
        const { admission } = await stage(sandbox);
        const staging = admission?.report.staging;
        expect([admission?.decision, staging?.filesSent]).toEqual(["staged", 1]);
        expect(staging?.transport).toBe(kind === "text" ? "chunks" : kind);
        expect(staging?.bytesSent).toBeLessThanOrEqual(sent * 1.05);
        expect(await verified(box, admission?.root ?? "")).toBe("sound\n");
        expect(await leftovers(box)).toBe("");
      });
    },
  );

  test("what an earlier lease staged is staged anew, sound or not", async () => {
    await withBox({ packed: true }, async (box) => {
      const first = await stage(agentOf(box));
      const root = first.admission?.root ?? "";
      const inode = () => box.root(`ls -di ${root}`);
      const before = await inode();
      const refused = await tryAdmit({ sandbox: agentOf(box), expected: pack.manifest, commands: [] });
      expect(refused.reasons.map(({ code }) => code)).toContain("admission.pack-writable");
      const second = await stage(agentOf(box));
      expect([second.decision, second.admission?.root]).toEqual(["staged", root]);
      expect(await inode()).not.toBe(before);
      await box.root(`echo evil >>${root}/node_modules/alpha/index.js; mkfifo ${root}/fifo`);
      expect((await stage(agentOf(box))).decision).toBe("staged");
      expect(await verified(box, root)).toBe("sound\n");
      expect(await leftovers(box)).toBe("");
    });
  });

  test("a staged pack that an image's layer holds is replaced too", async () => {
    await withBox({ packed: true }, async (box) => {
      const first = await stage(agentOf(box));
      const layered = `${packed.name}-layered`;
      await docker(["commit", box.name, layered]);
      const again = await createBox({ image: layered });
      try {
        const second = await stage(agentOf(again));
        expect([second.decision, second.admission?.root]).toEqual(["staged", first.admission?.root]);
        expect(await verified(again, second.admission?.root ?? "")).toBe("sound\n");
        expect(await leftovers(again)).toBe("");
      } finally {
        await again.remove();
        await docker(["rmi", "-f", layered]);
      }
    });
  });

  test("a staged pack of root's, to root, is used in place the next time", async () => {
    await withBox({}, async (box) => {
      const sandbox = dockerSandbox(box.name);
      const first = await stage(sandbox);
      expect([first.decision, first.admission?.trust]).toEqual(["staged", "fresh-only"]);
      const second = await stage(sandbox);
      expect([second.decision, second.admission?.trust]).toEqual(["preinstalled", "fresh-only"]);
      expect(second.admission?.root).toBe(first.admission?.root);
    });
  });

  test("two at once", async () => {
    await withBox({ packed: true }, async (box) => {
      const both = await Promise.all([stage(agentOf(box)), stage(agentOf(box))]);
      expect(both.map(({ decision }) => decision)).toEqual(["staged", "staged"]);
      expect(new Set(both.map(({ admission }) => admission?.root)).size).toBe(1);
      expect(await verified(box, both[0]?.admission?.root ?? "")).toBe("sound\n");
      expect(await leftovers(box)).toBe("");
    });
  });

  test("too small a file system is a clear refusal and stays clean", async () => {
    const run = ["--tmpfs", "/home/agent:size=60m,exec,uid=1000,mode=755"];
    await withBox({ run }, async (box) => {
      const outcome = await stage(agentOf(box));
      expect([outcome.decision, outcome.code, outcome.exit]).toEqual(["refused", "admission.no-room", 3]);
      expect(await box.root("find /home/agent -type f")).toBe("");
      expect(await leftovers(box)).toBe("");
    });
  });

  test("a file system that fills up meanwhile is a clear refusal and stays clean", async () => {
    const run = ["--tmpfs", "/home/agent:size=180m,exec,uid=1000,mode=755"];
    await withBox({ run, packed: true }, async (box) => {
      const real = agentOf(box);
      let calls = 0;
      // The decision and the preparation find room; what comes then does not.
      const sandbox: SandboxExecutor = {
        ...real,
        execute: async (command) => {
          calls += 1;
          if (calls === 3) await box.root("head -c 1G /dev/zero >/home/agent/ballast 2>/dev/null; :");
          return await real.execute(command);
        },
      };
      const outcome = await stage(sandbox);
      expect([outcome.decision, outcome.code, outcome.exit]).toEqual(["refused", "admission.no-room", 3]);
      expect(await box.root("find /home/agent -type f")).toBe("/home/agent/ballast\n");
    });
  });

  test("a home that is read-only: the next root", async () => {
    const setup = "chown root /home/agent; mkdir -m 755 /workspace; chown agent /workspace";
    await withBox({ packed: true, setup }, async (box) => {
      const packRoots = [packPath, "$HOME/packs", "/workspace/packs"];
      const { admission } = await stage(agentOf(box), { packRoots });
      expect(admission?.root.startsWith("/workspace/packs/")).toBe(true);
    });
  });

  test("a home that allows no execution: the next root", async () => {
    const run = ["--tmpfs", "/home/agent:size=900m,noexec,uid=1000,mode=755"];
    const setup = "mkdir -m 755 /workspace; chown agent /workspace";
    await withBox({ packed: true, run, setup }, async (box) => {
      const packRoots = ["$HOME/packs", "/workspace/packs"];
      const { admission } = await stage(agentOf(box), { packRoots });
      expect(admission?.root.startsWith("/workspace/packs/")).toBe(true);
      expect(await leftovers(box)).toBe("");
    });
  });

  test("a root that others can write is no place for a pack", async () => {
    const setup = "mkdir -p -m 777 /shared; chown agent /shared";
    await withBox({ packed: true, setup }, async (box) => {
      const outcome = await stage(agentOf(box), { packRoots: ["/shared/packs"] });
      expect([outcome.code, outcome.exit]).toEqual(["admission.no-stage-root", 3]);
    });
  });

  test.each([
    [
      "the interpreter",
      "node_modules/node/bin/node",
      "printf '#!/bin/sh\\n: >/trap/ran\\n' >$f;chmod 755 $f",
      "admission.staged-unsound",
    ],
    ["a copied file", "node_modules/alpha/index.js", "echo evil >>$f", "admission.staged-unsound"],
    ["the listing", "sealpack.tree", "echo >>$f", "admission.staging-failed"],
  ])("%s changed by another process before it is verified", async (_, path, change, code) => {
    await withBox({ packed: true }, async (box) => {
      const real = agentOf(box);
      let calls = 0;
      const sandbox: SandboxExecutor = {
        ...real,
        execute: async (command) => {
          calls += 1;
          if (calls === 4) await box.root(`for f in ${home}/.staging-*/pack/${path};do ${change};done`);
          return await real.execute(command);
        },
      };
      const outcome = await stage(sandbox);
      expect([outcome.decision, outcome.code]).toEqual(["refused", code]);
      expect(await box.root("ls /trap")).toBe("");
      expect(await leftovers(box)).toBe("");
    });
  });

  test("no hash tool: nothing is staged", async () => {
    const setup = "rm -f /usr/bin/openssl /usr/bin/sha256sum /usr/bin/shasum /bin/busybox /usr/bin/busybox";
    await withBox({ setup }, async (box) => {
      const outcome = await stage(agentOf(box));
      expect([outcome.code, outcome.exit]).toEqual(["sandbox.no-hash-tool", 3]);
    });
  });

  test("a controller's pack that is not what its manifest says is not staged", async () => {
    const broken = await writeRunnablePack(join(work, "broken"), {
      [changedFile]: { bytes: changedBytes, executable: true },
    });
    const file = join(broken.root, changedFile);
    writeFileSync(file, Buffer.alloc(changedBytes.length));
    await withBox({ packed: true }, async (box) => {
      const outcome = await stage(agentOf(box), { stage: { pack: broken.root } });
      expect([outcome.code, outcome.exit]).toEqual(["admission.source-unsound", 1]);
      expect(await leftovers(box)).toBe("");
    });
  });
});

describe("a controller that is killed", () => {
  const phases = ["prepare", "send the interpreter", "compare", "send files", "verify"];
  const random = toRandom(5);
  const moments = Array.from({ length: 10 }, (_, index) => ({
    phase: phases[index % phases.length] ?? "",
    delay: Math.floor(random() * 400),
  }));

  test.each(moments)("at $phase, $delay ms in: the next admission is right", async ({ phase, delay }) => {
    await withBox({}, async (box) => {
      await killAt(box, phase, delay);
      const looked = await tryAdmit({ sandbox: agentOf(box), expected: pack.manifest, commands: [] });
      expect(looked.decision).toBe("refused");
      const { admission } = await stage(agentOf(box));
      expect(admission?.decision).toBe("staged");
      expect(await verified(box, admission?.root ?? "")).toBe("sound\n");
    });
  });
});

/** Kills `sealpack stage` that long after it says that it has come to a phase. */
async function killAt(box: Box, phase: string, delay: number): Promise<void> {
  const script = join(import.meta.dirname, "support/stage-once.ts");
  const child = spawn(process.execPath, [script, box.name, pack.root], {
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
  });
  const reached = await waitFor(child, phase);
  expect(reached).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, delay));
  // The whole group: the docker client goes as it does when a host is lost.
  process.kill(-(child.pid ?? 0), "SIGKILL");
}

function waitFor(child: ChildProcess, phase: string): Promise<boolean> {
  return new Promise((resolve) => {
    let text = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes(`step: ${phase}\n`)) resolve(true);
    });
    child.once("close", () => resolve(false));
  });
}
