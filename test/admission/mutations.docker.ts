import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dockerSandbox } from "../../src/sandbox/docker-sandbox.ts";
import { type Box, createBox, startDocker } from "../sandbox/support/docker-box.ts";
import { tryAdmit } from "../support/admit-box.ts";
import { type Mutation, mutations } from "../support/mutate.ts";
import { packPath } from "../support/packed-image.ts";
import type { TestPack } from "../support/random-pack.ts";
import { writeRunnablePack } from "../support/runnable-pack.ts";

let box: Box;
let pack: TestPack;
const work = mkdtempSync(join(tmpdir(), "sealpack-mutations-"));
const mounted = join(work, "mounted");
const root = join(mounted, "provider-pack");

beforeAll(async () => {
  const image = await startDocker();
  execFileSync("mkdir", ["-p", "-m", "755", mounted]);
  chmodSync(work, 0o755);
  pack = await writeRunnablePack(join(work, "pristine"));
  const run = ["-v", `${mounted}:/opt/paperclip-runner`];
  box = await createBox({ image, run, setup: "useradd -m -u 1000 agent" });
});
afterAll(async () => {
  await box?.remove();
  rmSync(work, { recursive: true, force: true });
});

const admitBox = () =>
  tryAdmit({ sandbox: dockerSandbox(box.name, { user: "agent" }), expected: pack.manifest, commands: [] });

/** Before the verifier has its say, the shell tells by the manifest's bytes that it is not ours, or that there is none. */
const before: Readonly<Record<string, string>> = {
  "manifest.missing": "admission.not-sealed",
  "manifest.not-a-file": "admission.not-sealed",
  "manifest.too-large": "admission.not-sealed",
};

/** A code that was found twice is one reason, by its first place. */
function toExpectedReason(row: Mutation): string[] {
  const codes = row.finds.map(({ code }) => code);
  const first = row.finds.filter(({ code }, index) => codes.indexOf(code) === index);
  return first.map(({ code, path }) => {
    if (row.name === "no pack") return `admission.no-pack ${packPath}`;
    if (code === "tree.root-not-a-directory") return `admission.root-not-a-directory ${packPath}`;
    // Who can write the root is asked first.
    if (path === ".") return `admission.pack-writable ${packPath}`;
    if (path !== "sealpack.json" || !code.startsWith("manifest.")) return `${code} ${packPath}/${path}`;
    const early = before[code];
    return early === undefined ? `admission.other-pack ${packPath}` : `${early} ${packPath}/${path}`;
  });
}

describe("one mutation of a pack in a container gives its own reason and nothing else", () => {
  // The rows for another user are about the pack's owner, who is root here; decide.docker.ts has what a user cannot read.
  test.each(mutations.filter(({ unprivileged }) => !unprivileged))("$name", async (row) => {
    resetPack();
    const cleanUp = await row.apply(root);
    try {
      const outcome = await admitBox();
      const reasons = outcome.reasons
        .filter(({ subject }) => subject.startsWith(packPath))
        .map(({ code, subject }) => `${code} ${subject}`);
      expect([outcome.decision, reasons]).toEqual(["refused", toExpectedReason(row)]);
    } finally {
      cleanUp?.();
    }
  });

  test("none: it is admitted", async () => {
    resetPack();
    expect((await admitBox()).decision).toBe("preinstalled");
  });
});

/** A fresh copy below the mount, which is the container's view of the same directory. */
function resetPack(): void {
  execFileSync("sh", ["-c", `rm -rf ${mounted}/* && cp -a ${join(work, "pristine")} ${root}`]);
}
