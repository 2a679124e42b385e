import { appendFileSync, chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sshSandbox } from "../../src/sandbox/ssh-sandbox.ts";
import { type Sshd, sshUsers, startSshd } from "../sandbox/support/sshd.ts";
import { tryAdmit } from "../support/admit-box.ts";
import type { TestPack } from "../support/random-pack.ts";
import { writeRunnablePack } from "../support/runnable-pack.ts";

let sshd: Sshd;
let pack: TestPack;
const work = mkdtempSync(join(tmpdir(), "sealpack-admit-ssh-"));
beforeAll(async () => {
  chmodSync(work, 0o755);
  pack = await writeRunnablePack(join(work, "pack"));
  sshd = await startSshd();
});
afterAll(async () => {
  await sshd?.stop();
  rmSync(work, { recursive: true, force: true });
});

const banner = (path: string) =>
  `echo; echo ${"0".repeat(32)}-answer-begin; echo root.0.state=directory; echo ${"0".repeat(32)}-answer-end; echo noise from ${path}`;

test.each(Object.keys(sshUsers) as (keyof typeof sshUsers)[])(
  "a user whose shell is %s, with a faked answer in its banner: staged, and the banner believed nowhere",
  async (user) => {
    const home = sshd.home(user);
    for (const file of [".bashrc", ".cshrc", ".profile"])
      appendFileSync(join(home, file), `${banner(file)}\n`);
    const target = { destination: `${user}@127.0.0.1`, port: sshd.port };
    const sandbox = sshSandbox(target, { configFile: sshd.clientConfig });
    const request = { sandbox, expected: pack.manifest, commands: [], packRoots: ["$HOME/packs"] };
    const refused = await tryAdmit(request);
    expect([refused.decision, refused.code]).toEqual(["refused", "admission.no-pack"]);
    const staged = await tryAdmit({ ...request, stage: { pack: pack.root } });
    expect([staged.decision, staged.admission?.trust]).toEqual(["staged", "this-lease"]);
    expect(staged.admission?.root.startsWith(`${home}/packs/`)).toBe(true);
    const again = await tryAdmit(request);
    expect(again.reasons.map(({ code }) => code)).toContain("admission.pack-writable");
  },
);
