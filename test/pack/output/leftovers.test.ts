import { lutimesSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { withOutputLock } from "../../../src/pack/output/output-lock.ts";
import { lockPath, siblingPath } from "../../../src/pack/output/output-names.ts";
import { findInterrupted, repairOutput, swapOutput } from "../../../src/pack/output/swap-output.ts";
import { workspaceMarker } from "../../../src/pack/output/workspace.ts";
import { processToken, readTokenState } from "../../../src/pack/process-token.ts";
import { printListing } from "../../../src/tree/print-listing.ts";
import { deadToken, writeInterrupted, writeWorkspace } from "../../support/build-leftovers.ts";
import { tempDir } from "../../support/temp-dir.ts";

const toOut = () => join(tempDir(), "out");
const beside = (out: string) => readdirSync(join(out, "..")).sort();
const hours = (count: number) => new Date(Date.now() - count * 3_600_000);

/** Folders that a person may have beside the output; each holds a pack, so that only its name saves it. */
const somebodys = [
  "out.old-20260801-1530",
  "out.tmp-20260801-1530",
  "out.old-999999999-1",
  ".out.sealpack-old-20260801",
  ".out.sealpack-old-20260801-1530",
  ".out.sealpack-tmp-backup",
  ".out.sealpack-old-",
];

test("nothing with a name that a person gave is removed or put back", async () => {
  const out = toOut();
  for (const name of somebodys) {
    mkdirSync(join(out, "..", name), { recursive: true });
    writeFileSync(join(out, "..", name, "sealpack.json"), "{}");
    writeFileSync(join(out, "..", name, "sealpack.tree"), printListing([]));
    if (!name.includes("tmp")) continue;
    writeFileSync(join(out, "..", name, workspaceMarker), `${name.split("-tmp-")[1]}\n${out}\n`);
  }
  const empty = ".out.sealpack-tmp-20260801-1530";
  mkdirSync(join(out, "..", empty));
  expect(await findInterrupted(out)).toBeUndefined();
  expect(await repairOutput(out)).toBe(false);
  expect(beside(out)).toEqual([...somebodys, empty].sort());
});

test("a folder with a build's name and somebody's file in it stays, and is never put back", async () => {
  const out = toOut();
  const old = writeInterrupted(out);
  writeFileSync(join(old, "notes.txt"), "mine");
  const work = siblingPath(out, "tmp", deadToken());
  mkdirSync(work);
  writeFileSync(join(work, "notes.txt"), "mine");
  const other = writeWorkspace(out, deadToken());
  writeFileSync(join(other, workspaceMarker), `${deadToken()}\n${out}-other\n`);
  expect(await repairOutput(out)).toBe(false);
  expect(beside(out)).toEqual([old, work, other].map((path) => basename(path)).sort());
});

test("what a kill left while a workspace was made or removed goes", async () => {
  const out = toOut();
  mkdirSync(siblingPath(out, "tmp", deadToken()));
  const half = siblingPath(out, "tmp", deadToken());
  mkdirSync(half);
  writeFileSync(join(half, workspaceMarker), "999999");
  symlinkSync(deadToken(), siblingPath(out, "lock", deadToken()));
  await repairOutput(out);
  expect(beside(out)).toEqual([]);
});

test("tokens: another boot is dead, another PID namespace cannot be seen, no two are the same", () => {
  expect(readTokenState(processToken())).toBe("alive");
  expect(processToken()).not.toBe(processToken());
  expect(readTokenState(deadToken())).toBe("dead");
  expect(readTokenState(deadToken({ 2: "1" }))).toBe("elsewhere");
  expect(readTokenState(deadToken({ 2: "1", 3: "abcdef012345" }))).toBe("dead");
  expect(readTokenState(deadToken({ 3: "0" }))).toBe("elsewhere");
  expect(readTokenState("20260801-1530")).toBe("alive");
});

test("a build in another PID namespace keeps its workspace until it has not touched it for a day", async () => {
  const out = toOut();
  const live = writeWorkspace(out, deadToken({ 2: "1" }));
  const left = writeWorkspace(out, deadToken({ 2: "1" }));
  utimesSync(live, hours(23), hours(23));
  utimesSync(left, hours(25), hours(25));
  await repairOutput(out);
  expect(beside(out)).toEqual([basename(live)]);
});

const stale: readonly (readonly [string, (path: string) => void])[] = [
  ["of a dead process", (path) => symlinkSync(deadToken(), path)],
  ["of another boot", (path) => symlinkSync(deadToken({ 2: "1", 3: "abcdef012345" }), path)],
  [
    "of another namespace, a day old",
    (path) => {
      symlinkSync(deadToken({ 2: "1" }), path);
      lutimesSync(path, hours(25), hours(25));
    },
  ],
  [
    "that is an empty file, older than a minute",
    (path) => {
      writeFileSync(path, "");
      utimesSync(path, hours(0.02), hours(0.02));
    },
  ],
];

for (const [name, make] of stale) {
  test(`takes over a lock ${name}`, async () => {
    const out = toOut();
    make(lockPath(out));
    expect(await withOutputLock(out, async () => "ran", AbortSignal.timeout(5000))).toBe("ran");
    expect(beside(out)).toEqual([]);
  });
}

const held: readonly (readonly [string, (path: string) => void])[] = [
  ["of a living process", (path) => symlinkSync(processToken(), path)],
  ["of another namespace", (path) => symlinkSync(deadToken({ 2: "1" }), path)],
  ["without a token, just made", (path) => writeFileSync(path, "")],
  ["that is a folder", (path) => mkdirSync(path)],
];

for (const [name, make] of held) {
  test(`waits for a lock ${name}, and ends when it is told to`, async () => {
    const out = toOut();
    make(lockPath(out));
    const reason = new Error("interrupted");
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 200);
    await expect(withOutputLock(out, async () => "ran", controller.signal)).rejects.toBe(reason);
    expect(beside(out)).toEqual([basename(lockPath(out))]);
  });
}

test("an interrupted build does not swap", async () => {
  const out = toOut();
  const sealed = writeInterrupted(out);
  const reason = new Error("interrupted");
  await expect(swapOutput(sealed, out, AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(beside(out)).toEqual([basename(sealed)]);
});

test("a held lock is named in what to do about it", { timeout: 60_000 }, async () => {
  const out = toOut();
  writeFileSync(lockPath(out), "");
  await expect(withOutputLock(out, async () => {}, undefined, 100)).rejects.toMatchObject({
    code: "pack.output-locked",
    remedy: expect.stringContaining(lockPath(out)),
  });
});

// Node's recursive mkdir would never come back from there.
test.runIf(process.platform === "linux")("an output below /proc fails by the system's error", async () => {
  await expect(repairOutput("/proc/x/y")).rejects.toMatchObject({ syscall: "mkdir" });
});

test("the folders above an output are made", async () => {
  const dir = tempDir();
  await repairOutput(join(dir, "a/b/out"));
  expect(readdirSync(join(dir, "a"))).toEqual(["b"]);
});
