import { readFileSync } from "node:fs";

/** Names one process for as long as the machine runs: pids are used again, a pid with its start time is not. */
export type ProcessToken = `${number}-${string}`;

export const tokenPattern = /^([1-9][0-9]{0,9})-([0-9]{1,20})$/;

export function processToken(): ProcessToken {
  return `${process.pid}-${startTimeOf(process.pid) ?? "0"}`;
}

/** False only where the process is known to be gone: what cannot be told counts as alive, so nothing of it is removed. */
export function isTokenAlive(token: string): boolean {
  const match = tokenPattern.exec(token);
  if (match === null) return true;
  const pid = Number(match[1]);
  const startTime = startTimeOf(pid);
  if (startTime !== undefined) return startTime === match[2] || match[2] === "0";
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
