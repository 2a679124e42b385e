import { EventEmitter } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { startHashing } from "../../src/tree/hash-files.ts";
import type { HashJob } from "../../src/tree/hash-worker.ts";
import { tempDir } from "../support/temp-dir.ts";

/** A thread that takes the largest file and dies with it, as one does that runs out of memory. */
vi.mock("node:worker_threads", () => ({
  Worker: class extends EventEmitter {
    constructor(_program: string, { workerData }: { workerData: HashJob }) {
      super();
      Atomics.add(new Int32Array(workerData.next), 0, 1);
      setImmediate(() => this.emit("error", new Error("out of memory")));
    }
  },
}));

test("files that a lost thread had claimed are hashed all the same", async () => {
  const root = tempDir();
  const files = Array.from({ length: 20 }, (_, index) => ({ path: `f${index}`, size: 1024 * 1024 }));
  for (const { path, size } of files) writeFileSync(join(root, path), Buffer.alloc(size, path));
  const found = await startHashing(root, files)();
  expect(found.size).toBe(20);
  for (const { state, digest } of found.values()) expect([state, digest.length]).toEqual(["hashed", 64]);
  expect(new Set(Array.from(found.values(), ({ digest }) => digest)).size).toBe(20);
});
