import { execFileSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { describe, expect, test } from "vitest";
import { startHashing } from "../../src/tree/hash-files.ts";
import { listTree } from "../../src/tree/list-tree.ts";
import { toListing } from "../../src/tree/to-listing.ts";
import { verifyTree } from "../../src/tree/verify-tree.ts";
import { walkTree } from "../../src/tree/walk-tree.ts";
import { tempDir } from "../support/temp-dir.ts";

function emptyTree(): string {
  const root = tempDir();
  chmodSync(root, 0o755);
  return root;
}

function write(root: string, name: string, size: number): void {
  closeSync(openSync(join(root, name), "w", 0o644));
  chmodSync(join(root, name), 0o644);
  truncateSync(join(root, name), size);
}

/** Waits until some thread of this process has the file open and has read from it, then calls `edit`. */
function editWhileRead(path: string, edit: string): Worker {
  const program = `
    const fs = require("node:fs");
    const { path } = require("node:worker_threads").workerData;
    const isRead = (fd) => {
      try {
        if (fs.readlinkSync("/proc/self/fd/" + fd) !== path) return false;
        return !/^pos:\\s+0$/m.test(fs.readFileSync("/proc/self/fdinfo/" + fd, "utf8"));
      } catch { return false; }
    };
    require("node:worker_threads").parentPort.postMessage("ready");
    while (!fs.readdirSync("/proc/self/fd").some(isRead));
    ${edit}`;
  return new Worker(program, { eval: true, workerData: { path } });
}

async function ready(worker: Worker): Promise<void> {
  await new Promise((resolve) => worker.once("message", resolve));
}

const large = 256 * 1024 * 1024;
const zeros = "a6d72ac7690f53be6ae46ba88506bd97302a093f7108472bd9efc3cefda06484";

describe.runIf(process.platform === "linux")("a file that changes while it is hashed", () => {
  test.each([
    ["grows", 'fs.appendFileSync(path, "x");'],
    ["shrinks", "fs.truncateSync(path, 1);"],
    [
      "is written with the same bytes",
      "const fd = fs.openSync(path, 'r+'); fs.writeSync(fd, Buffer.alloc(1), 0, 1, 0);",
    ],
    ["changes its mode", "fs.chmodSync(path, 0o600);"],
  ])("%s", async (_name, edit) => {
    const root = emptyTree();
    write(root, "large", large);
    const listing = toListing([{ type: "f", size: large, digest: zeros, path: "large" }]);
    const worker = editWhileRead(join(root, "large"), edit);
    await ready(worker);
    const findings = await verifyTree(root, listing);
    await worker.terminate();
    expect(findings.map(({ code, path }) => `${path} ${code}`)).toEqual(["large tree.changed-while-read"]);
  });

  test("grows while a builder lists it", async () => {
    const root = emptyTree();
    write(root, "large", large);
    const worker = editWhileRead(join(root, "large"), 'fs.appendFileSync(path, "x");');
    await ready(worker);
    await expect(listTree(root)).rejects.toMatchObject({ code: "tree.changed-while-read" });
    await worker.terminate();
  });

  test("a directory that gets an entry after it was listed", async () => {
    const root = emptyTree();
    write(root, "large", large);
    mkdirSync(join(root, "dir"));
    chmodSync(join(root, "dir"), 0o755);
    const listing = toListing([
      { type: "d", size: 0, digest: "", path: "dir" },
      { type: "f", size: large, digest: zeros, path: "large" },
    ]);
    const worker = editWhileRead(
      join(root, "large"),
      'fs.writeFileSync(path.replace(/large$/, "dir/late"), "");',
    );
    await ready(worker);
    const findings = await verifyTree(root, listing);
    await worker.terminate();
    expect(["dir tree.changed-while-read", "dir/late tree.extra-file"]).toEqual(
      expect.arrayContaining(findings.map(({ code, path }) => `${path} ${code}`)),
    );
    expect(findings).not.toEqual([]);
  });
});

test("a directory that changed since it was listed is told", () => {
  const root = emptyTree();
  mkdirSync(join(root, "dir"));
  const walk = walkTree(root, { descend: () => true, skip: () => false });
  expect(walk.findChanged()).toEqual([]);
  writeFileSync(join(root, "dir/late"), "");
  expect(walk.findChanged()).toEqual(["dir"]);
});

describe("hashing", () => {
  const known = { "": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" };

  test("is the same in one thread and in several", async () => {
    const root = emptyTree();
    const files = Array.from({ length: 40 }, (_, index) => ({ path: `f${index}`, size: index * 50_021 + 1 }));
    for (const { path, size } of files) writeFileSync(join(root, path), Buffer.alloc(size, path));
    const small = await startHashing(root, files.slice(0, 5))();
    const all = await startHashing(root, files)();
    expect(all.size).toBe(40);
    for (const { path } of files.slice(0, 5)) expect(all.get(path)).toEqual(small.get(path));
    const { createHash } = await import("node:crypto");
    for (const { path } of files) {
      const digest = createHash("sha256")
        .update(readFileSync(join(root, path)))
        .digest("hex");
      expect(all.get(path)?.digest).toBe(digest);
    }
  });

  test.each([0, 1, 1024 * 1024 - 1, 1024 * 1024, 1024 * 1024 + 1, 3 * 1024 * 1024])(
    "of %i bytes",
    async (size) => {
      const root = emptyTree();
      const { createHash } = await import("node:crypto");
      const bytes = Buffer.alloc(size, "bytes");
      writeFileSync(join(root, "file"), bytes);
      const found = (await startHashing(root, [{ path: "file", size }])()).get("file");
      expect(found).toMatchObject({
        state: "hashed",
        size,
        digest: createHash("sha256").update(bytes).digest("hex"),
      });
      if (size === 0) expect(found?.digest).toBe(known[""]);
    },
  );

  test.each([
    ["fifo", "otherKind"],
    ["link", "otherKind"],
    ["directory", "otherKind"],
    ["none", "noStat"],
    ["file/below", "noStat"],
  ])("does not open what is no regular file, also where the size is right: %s", async (path, state) => {
    const root = emptyTree();
    execFileSync("mkfifo", [join(root, "fifo")]);
    write(root, "file", 0);
    symlinkSync("file", join(root, "link"));
    mkdirSync(join(root, "directory"));
    const size = state === "noStat" ? 0 : lstatSync(join(root, path)).size;
    expect((await startHashing(root, [{ path, size }])()).get(path)).toMatchObject({ state, digest: "" });
  });

  test("does not read a file of another size: a sparse terabyte costs nothing", async () => {
    const root = emptyTree();
    write(root, "sparse", 2 ** 40);
    const found = (await startHashing(root, [{ path: "sparse", size: 3 }])()).get("sparse");
    expect(found).toMatchObject({ state: "otherSize", size: 2 ** 40, digest: "" });
  });
});
