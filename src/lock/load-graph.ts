import { existsSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { ParsedLock } from "./entry.ts";
import { lockError } from "./errors.ts";
import type { LockGraph } from "./graph.ts";
import { type GraphJob, readGraph } from "./read-graph.ts";

/** Up to here npm's reader cannot take longer than some seconds; a thread costs half of one. */
const maximumEdgesHere = 2_000;
const limitMs = 15_000;

/**
 * The tree that npm makes of a lock. The caller has parsed both files and applied the entry policy. npm's reader asks of
 * every edge whether it is bundled, which takes the square of the edges in a lock where all ask for each other: a large
 * one is read in a thread that is ended when its time is up.
 * @throws lock.override-conflict, lock.unloadable
 */
export async function loadGraph(
  lock: ParsedLock,
  lockBytes: Uint8Array,
  packageJson: Uint8Array,
): Promise<LockGraph> {
  // Removed here and not where it is used: a thread that is ended cleans nothing up.
  const folder = await realpath(await mkdtemp(join(tmpdir(), "sealpack-lock-")));
  try {
    return await loadFrom({ folder, lock, lockBytes, packageJson });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function loadFrom(job: GraphJob): Promise<LockGraph> {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const file = new URL(`./load-graph-worker.${extension}`, import.meta.url);
  const inThread = job.lock.edges > maximumEdgesHere && existsSync(fileURLToPath(file));
  return inThread ? await readInThread(file, job) : await readGraph(job);
}

type Answer = { readonly graph: LockGraph } | { readonly code: string; readonly message: string };

async function readInThread(file: URL, job: GraphJob): Promise<LockGraph> {
  const worker = new Worker(file, { workerData: job, execArgv: [] });
  const answer = await new Promise<Answer>((resolve) => {
    const fail = (message: string) => resolve({ code: "lock.unloadable", message });
    const timer = setTimeout(() => fail(`no end within ${limitMs / 1000} s`), limitMs);
    worker.once("message", resolve);
    worker.once("error", (error: Error) => fail(error.message));
    worker.once("exit", () => {
      clearTimeout(timer);
      fail("its thread ended");
    });
  });
  await worker.terminate();
  if ("graph" in answer) return answer.graph;
  throw lockError(answer.code === "lock.override-conflict" ? answer.code : "lock.unloadable", {
    subject: "package.json and its lock",
    expected: "a tree that npm can make",
    got: answer.message.split("\n")[0] ?? "",
  });
}
