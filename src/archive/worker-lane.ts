import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { type UnpackedArchive, type UnpackJob, unpackTarball } from "./unpack-tarball.ts";

export interface WorkerRequest {
  readonly id: number;
  /** Without `signal`: an abort ends the whole worker. */
  readonly job: UnpackJob;
}

export interface WorkerAnswer {
  readonly id: number;
  /** Missing where it failed. */
  readonly unpacked?: UnpackedArchive;
}

/** Unpacks one archive after another, or several at once. */
export interface UnpackLane {
  readonly unpack: (job: UnpackJob) => Promise<UnpackedArchive>;
  readonly end: () => Promise<void>;
}

/** This thread's own lane. */
export const localLane: UnpackLane = { unpack: unpackTarball, end: async () => {} };

/**
 * A second thread's lane, or this thread's where its file is not beside this one (a single-file bundle has none).
 * What fails there is done again here, from nothing: so an error has one maker, and a lost thread costs only time.
 */
export function startWorkerLane(): UnpackLane {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const file = new URL(`./unpack-worker.${extension}`, import.meta.url);
  if (!existsSync(fileURLToPath(file))) return localLane;
  const waiting = new Map<number, (answer: WorkerAnswer) => void>();
  const worker = new Worker(file, { execArgv: [] });
  worker.on("message", (answer: WorkerAnswer) => waiting.get(answer.id)?.(answer));
  const lose = () => {
    for (const [id, answer] of waiting) answer({ id });
  };
  worker.on("error", lose);
  worker.on("exit", lose);
  let next = 0;
  const ask = (job: UnpackJob) =>
    new Promise<WorkerAnswer>((resolve) => {
      const id = next++;
      waiting.set(id, (answer) => {
        waiting.delete(id);
        resolve(answer);
      });
      const { signal, ...request } = job;
      signal?.addEventListener("abort", () => void worker.terminate(), { once: true });
      worker.postMessage({ id, job: request } satisfies WorkerRequest);
    });
  const unpack = async (job: UnpackJob) => {
    const { unpacked } = await ask(job);
    job.signal?.throwIfAborted();
    if (unpacked !== undefined) return unpacked;
    await rm(job.destination, { recursive: true, force: true });
    return await unpackTarball(job);
  };
  return { unpack, end: async () => void (await worker.terminate()) };
}
