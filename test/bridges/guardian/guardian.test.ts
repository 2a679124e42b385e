import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findProcesses, runProgram, until } from "../../support/run-program.ts";
import { tempDir } from "../../support/temp-dir.ts";

const source = join(import.meta.dirname, "../../../src/bridges/guardian");

/** A program that starts a guardian, then things that try to get away, and says when all of them run. */
function writeOwner(token: string, removed: string): string {
  const path = join(tempDir(), "owner.ts");
  const escapes = `setsid sleep ${token} & env -i sleep ${token} & (sleep ${token} &) ; exec sleep ${token}`;
  writeFileSync(
    path,
    `import { spawn } from "node:child_process";
import { startGuardian } from ${JSON.stringify(`${source}/start-guardian.ts`)};
const guardian = await startGuardian(${JSON.stringify(`${source}/guardian-main.ts`)});
guardian.remove(${JSON.stringify(removed)});
const child = spawn("sh", ["-c", ${JSON.stringify(escapes)}], { detached: true, env: { PATH: process.env.PATH, ...guardian.env } });
guardian.watch(child.pid ?? 0);
console.log("started");
process.on("SIGTERM", () => guardian.end().then(() => process.exit(0)));
guardian.lost.catch((error) => { console.log(error.code); process.exit(3); });
setInterval(() => {}, 1000);
`,
  );
  return path;
}

async function startOwner(digit: number) {
  const token = `${digit}0${process.pid}${Date.now() % 1_000_000}`;
  const removed = tempDir();
  const owner = runProgram(writeOwner(token, removed), []);
  expect(await owner.line()).toBe("started");
  await until(
    () => findProcesses(`sleep\0${token}`),
    (found) => found.length === 4,
  );
  return { owner, token, removed };
}

test.each(["SIGKILL", "SIGTERM"] as const)(
  "%s for the owner ends whatever it started, however it hides",
  async (signal) => {
    const { owner, token, removed } = await startOwner(signal === "SIGKILL" ? 5 : 6);
    owner.child.kill(signal);
    await until(
      () => findProcesses(`sleep\0${token}`),
      (found) => found.length === 0,
    );
    await until(
      () => existsSync(removed),
      (there) => !there,
    );
  },
);

test("without its guardian an owner ends everything itself, and says so", async () => {
  const { owner, token } = await startOwner(7);
  for (const pid of findProcesses("guardian-main.ts").filter((one) => isChild(one, owner.child.pid ?? 0))) {
    process.kill(pid, "SIGKILL");
  }
  expect(await owner.line()).toBe("bridges.guardian-lost");
  await until(
    () => findProcesses(`sleep\0${token}`),
    (found) => found.length === 0,
  );
});

function isChild(pid: number, parent: number): boolean {
  return findProcesses(`\0${parent}\0`).includes(pid);
}
