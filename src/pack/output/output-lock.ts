import { open, rename, rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { packError } from "../errors.ts";
import { isTokenAlive, processToken } from "../process-token.ts";
import { readBoundedFile } from "../read-bounded-file.ts";
import { lockPath } from "./output-names.ts";

const waitMs = 30_000;
const pollMs = 50;

/**
 * Runs `body` while no other build swaps or repairs the same output.
 * A lock whose process is gone is taken over.
 * @throws pack.output-locked after 30 s
 */
export async function withOutputLock<T>(out: string, body: () => Promise<T>): Promise<T> {
  const path = lockPath(out);
  await acquire(path, out);
  try {
    return await body();
  } finally {
    await rm(path, { force: true });
  }
}

async function acquire(path: string, out: string): Promise<void> {
  const deadline = performance.now() + waitMs;
  while (!(await tryCreate(path))) {
    const holder = await readHolder(path);
    if (holder !== "" && !isTokenAlive(holder)) {
      await removeStale(path, holder);
      continue;
    }
    if (performance.now() > deadline) {
      throw packError("pack.output-locked", {
        subject: out,
        expected: "no other build to hold its lock",
        got: `process ${holder || "unknown"} holding ${path}`,
      });
    }
    await sleep(pollMs);
  }
}

async function tryCreate(path: string): Promise<boolean> {
  try {
    const handle = await open(path, "wx", 0o644);
    await handle.writeFile(processToken());
    await handle.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Moves the lock aside before looking at it again: of two processes that find it stale, one gets it. */
async function removeStale(path: string, holder: string): Promise<void> {
  const aside = `${path}.${processToken()}`;
  try {
    await rename(path, aside);
  } catch {
    return;
  }
  const found = await readHolder(aside);
  if (found !== holder && isTokenAlive(found)) await rename(aside, path);
  else await rm(aside, { force: true });
}

/** The token in a lock; "" where the file is none of ours. */
async function readHolder(path: string): Promise<string> {
  return await readBoundedFile(path, 64).then(
    (bytes) => bytes.toString("utf8").trim(),
    () => "",
  );
}
