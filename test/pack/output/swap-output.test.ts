import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { assertReplaceable } from "../../../src/pack/output/assert-replaceable.ts";
import { findInterrupted, repairOutput, swapOutput } from "../../../src/pack/output/swap-output.ts";
import { processToken } from "../../../src/pack/process-token.ts";
import { printListing } from "../../../src/tree/print-listing.ts";
import { tempDir } from "../../support/temp-dir.ts";

/** A process that cannot be there: pids end below this. */
const deadToken = "999999999-1";

/** What the swap looks at: a listing and a manifest's file; the manifest's content is not its business. */
function writePack(dir: string, content: string): string {
  mkdirSync(join(dir, "folder"), { recursive: true });
  writeFileSync(join(dir, "file"), content);
  writeFileSync(join(dir, "sealpack.json"), "{}");
  const digest = "0".repeat(64);
  writeFileSync(
    join(dir, "sealpack.tree"),
    printListing([
      { type: "f", size: 1, digest, path: "file" },
      { type: "d", size: 0, digest: "", path: "folder" },
    ]),
  );
  return dir;
}

const contentOf = (dir: string) => readFileSync(join(dir, "file"), "utf8");

test("puts the new pack in place and leaves nothing beside it", async () => {
  const dir = tempDir();
  const out = writePack(join(dir, "out"), "old");
  await swapOutput(writePack(join(dir, "new"), "new"), out);
  expect(contentOf(out)).toBe("new");
  expect(readdirSync(dir)).toEqual(["out"]);
});

test("an interrupted swap is seen, and the next build puts the old pack back", async () => {
  const dir = tempDir();
  const out = join(dir, "out");
  const old = writePack(`${out}.old-${deadToken}`, "old");
  expect(await findInterrupted(out)).toBe(old);
  expect(await repairOutput(out)).toBe(true);
  expect(contentOf(out)).toBe("old");
  expect(readdirSync(dir)).toEqual(["out"]);
});

test("what a dead build left goes, what a living one works on stays", async () => {
  const dir = tempDir();
  const out = writePack(join(dir, "out"), "here");
  mkdirSync(`${out}.tmp-${deadToken}`);
  writePack(`${out}.old-${deadToken}`, "old");
  mkdirSync(`${out}.tmp-${processToken()}`);
  expect(await repairOutput(out)).toBe(false);
  expect(contentOf(out)).toBe("here");
  expect(readdirSync(dir).sort()).toEqual(["out", `out.tmp-${processToken()}`].sort());
});

test("a lock whose process is gone does not stop a build", async () => {
  const dir = tempDir();
  const out = writePack(join(dir, "out"), "old");
  writeFileSync(`${out}.lock`, deadToken);
  await swapOutput(writePack(join(dir, "new"), "new"), out);
  expect(contentOf(out)).toBe("new");
  expect(existsSync(`${out}.lock`)).toBe(false);
});

test("an old folder that is not a sealed pack is never put back", async () => {
  const dir = tempDir();
  mkdirSync(join(dir, `out.old-${deadToken}`));
  expect(await findInterrupted(join(dir, "out"))).toBeUndefined();
});

const foreign: readonly (readonly [string, string, (out: string) => void])[] = [
  [
    "a directory with foreign files",
    "pack.output-not-a-pack",
    (out) => {
      mkdirSync(out);
      writeFileSync(join(out, "notes.txt"), "mine");
    },
  ],
  [
    "a pack with a file that no build made",
    "pack.output-not-a-pack",
    (out) => {
      writePack(out, "old");
      writeFileSync(join(out, "notes.txt"), "mine");
    },
  ],
  [
    "a pack with an empty directory that no build made",
    "pack.output-not-a-pack",
    (out) => {
      writePack(out, "old");
      mkdirSync(join(out, "mine"));
    },
  ],
  [
    "a pack with a file that no build made in a listed folder",
    "pack.output-not-a-pack",
    (out) => {
      writePack(out, "old");
      writeFileSync(join(out, "folder/notes.txt"), "mine");
    },
  ],
  [
    "a folder with somebody's sealpack.tree without an end",
    "pack.output-not-a-pack",
    (out) => {
      writePack(out, "old");
      truncateSync(join(out, "sealpack.tree"), 2 ** 40);
    },
  ],
  ["a file", "pack.output-not-a-pack", (out) => writeFileSync(out, "mine")],
  ["a link to a pack", "pack.output-is-link", (out) => symlinkSync(writePack(`${out}-real`, "old"), out)],
  ["a link to nothing", "pack.output-is-link", (out) => symlinkSync("nowhere", out)],
];

for (const [name, code, make] of foreign) {
  test(`does not replace ${name}`, async () => {
    const out = join(tempDir(), "out");
    make(out);
    await expect(assertReplaceable(out)).rejects.toMatchObject({ code, exit: 2 });
  });
}

// /proc is a mount point of every Linux, and nothing is written before this is refused.
test.runIf(process.platform === "linux")("does not replace a mount point", async () => {
  await expect(assertReplaceable("/proc")).rejects.toMatchObject({
    code: "pack.output-on-other-device",
    exit: 2,
  });
});

test("a swap leaves what came to stand at the output meanwhile, and the new pack", async () => {
  const dir = tempDir();
  const sealed = writePack(join(dir, "new"), "new");
  mkdirSync(join(dir, "out"));
  writeFileSync(join(dir, "out/notes.txt"), "mine");
  await expect(swapOutput(sealed, join(dir, "out"))).rejects.toMatchObject({
    code: "pack.output-not-a-pack",
  });
  expect(readdirSync(dir).sort()).toEqual(["new", "out"]);
  expect(readFileSync(join(dir, "out/notes.txt"), "utf8")).toBe("mine");
});

test("a swap that fails between its renames puts the old pack back", async () => {
  const dir = tempDir();
  const out = writePack(join(dir, "out"), "old");
  await expect(swapOutput(join(dir, "nothing"), out)).rejects.toMatchObject({ code: "ENOENT" });
  expect(contentOf(out)).toBe("old");
  expect(readdirSync(dir)).toEqual(["out"]);
});

test("replaces nothing, an empty directory and a pack", async () => {
  const dir = tempDir();
  expect(await assertReplaceable(join(dir, "absent"))).toBe(false);
  mkdirSync(join(dir, "empty"));
  expect(await assertReplaceable(join(dir, "empty"))).toBe(true);
  expect(await assertReplaceable(writePack(join(dir, "pack"), "old"))).toBe(true);
});
