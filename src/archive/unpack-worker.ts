import { parentPort } from "node:worker_threads";
import { unpackTarball } from "./unpack-tarball.ts";
import type { WorkerAnswer, WorkerRequest } from "./worker-lane.ts";

/** The thread behind a worker lane: unpacks what it is asked to and tells only whether that went well. */
parentPort?.on("message", async ({ id, job }: WorkerRequest) => {
  const answer: WorkerAnswer = await unpackTarball(job).then(
    (unpacked) => ({ id, unpacked }),
    () => ({ id }),
  );
  parentPort?.postMessage(answer);
});
