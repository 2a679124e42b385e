import { parentPort, workerData } from "node:worker_threads";
import { isSealpackError } from "../errors.ts";
import { type GraphJob, readGraph } from "./read-graph.ts";

/** The thread in which a large lock is read: it can be ended, which npm's reader by itself cannot. */
const answer = await readGraph(workerData as GraphJob).then(
  (graph) => ({ graph }),
  (error: unknown) => {
    if (!isSealpackError(error)) throw error;
    const { code, message } = error;
    return { code, message };
  },
);
parentPort?.postMessage(answer);
