import { createHash, randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";

/**
 * Names one use by one process: `<pid>-<start time>-<PID namespace>-<boot>-<random>`. Pids are used again, and count
 * anew in every container; a pid with its start time, namespace and boot does not come back.
 */
export type ProcessToken = `${number}-${string}`;

/** What is known of the process that a token names. `elsewhere`: in another PID namespace, so it cannot be seen from here. */
export type TokenState = "alive" | "dead" | "elsewhere";

export const tokenPattern = /^([1-9][0-9]{0,9})-([0-9]{1,20})-([0-9]{1,20})-([0-9a-f]{1,12})-([0-9a-f]{8})$/;

/** Another one at every call: two builds of one process do not share a name. */
export function processToken(): ProcessToken {
  const startTime = startTimeOf(process.pid) ?? "0";
  return `${process.pid}-${startTime}-${pidNamespace()}-${bootId()}-${randomBytes(4).toString("hex")}`;
}

/** `dead` only where the process is known to be gone: what cannot be told counts as alive, so nothing of it is removed. */
export function readTokenState(token: string): TokenState {
  const [, pid, startTime, namespace, boot] = tokenPattern.exec(token) ?? [];
  if (pid === undefined) return "alive";
  const here = bootId();
  if (boot !== here) return boot === "0" || here === "0" ? "elsewhere" : "dead";
  if (namespace !== pidNamespace()) return "elsewhere";
  return isProcessAlive(Number(pid), startTime) ? "alive" : "dead";
}

function isProcessAlive(pid: number, startTime: string | undefined): boolean {
  const found = startTimeOf(pid);
  if (found !== undefined) return found === startTime || startTime === "0";
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** Field 22 of /proc/<pid>/stat. The command name before it may hold spaces and brackets, so count from its end. */
function startTimeOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}

/** The number in `pid:[4026531836]`; "0" where the system has none. */
function pidNamespace(): string {
  try {
    return /[0-9]{1,20}/.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? "0";
  } catch {
    return "0";
  }
}

/** A short digest of the boot's identity: a name beside the output need not tell the identity itself. */
function bootId(): string {
  try {
    const id = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return createHash("sha256").update(id).digest("hex").slice(0, 12);
  } catch {
    return "0";
  }
}
