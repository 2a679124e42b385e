import { lstat, readlink, rename, rm, symlink } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { packError } from "../errors.ts";
import { type ProcessToken, processToken, tokenPattern } from "../process-token.ts";
import { isHeld, lockPath, siblingPath } from "./output-names.ts";

const defaultWaitMs = 30_000;
const pollMs = 50;
/** No build writes a lock without its token, so one without is what a crash or a copy made of it. */
const nobodysMs = 60_000;

/**
 * Runs `body` while no other build swaps or repairs the same output. The lock is a link to nowhere whose target is the
 * holder's token: made in one step with its content, so none is ever seen empty, on a full disk or after a kill.
 * A lock whose process is gone is taken over.
 * @throws pack.output-locked after `waitMs` (30 s), and the signal's reason where it is aborted while waiting
 */
export async function withOutputLock<T>(
  out: string,
  body: () => Promise<T>,
  signal?: AbortSignal,
  waitMs = defaultWaitMs,
): Promise<T> {
  const path = lockPath(out);
  const token = processToken();
  await acquire(out, token, waitMs, signal);
  try {
    return await body();
  } finally {
    if ((await readHolder(path)) === token) await rm(path, { force: true });
  }
}

async function acquire(
  out: string,
  token: ProcessToken,
  waitMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const path = lockPath(out);
  const deadline = performance.now() + waitMs;
  while (!(await tryCreate(path, token))) {
    signal?.throwIfAborted();
    const holder = await readHolder(path);
    if (await isStale(path, holder)) await removeStale(path, holder, siblingPath(out, "lock", token));
    if (performance.now() > deadline) throw locked(out, path, holder);
    await sleep(pollMs, undefined, { signal }).catch(() => signal?.throwIfAborted());
  }
}

async function tryCreate(path: string, token: ProcessToken): Promise<boolean> {
  try {
    await symlink(token, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function isStale(path: string, holder: string): Promise<boolean> {
  if (tokenPattern.test(holder)) return !(await isHeld(path, holder));
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined || stats.isDirectory()) return false;
  return Date.now() - stats.mtimeMs > nobodysMs;
}

/** Moves the lock aside before looking at it again: of two processes that find it stale, one gets it. */
async function removeStale(path: string, holder: string, aside: string): Promise<void> {
  try {
    await rename(path, aside);
  } catch {
    return;
  }
  const found = await readHolder(aside);
  if (found !== holder && !(await isStale(aside, found))) await rename(aside, path);
  else await rm(aside, { force: true });
}

/** The token in a lock; "" where it is none of ours. */
async function readHolder(path: string): Promise<string> {
  return await readlink(path).catch(() => "");
}

function locked(out: string, path: string, holder: string) {
  return packError("pack.output-locked", {
    subject: out,
    expected: "no other build to hold its lock",
    got: `process ${holder || "unknown"} holding ${path}`,
    remedy: `Wait for the other build. If none is running, remove ${path}, then build again.`,
  });
}
