import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { bridgesError } from "../errors.ts";
import { type GuardianLine, retireAll } from "./run-guardian.ts";

/** Ends everything that this process starts when this process ends, in whatever way. */
export interface Guardian {
  /** Must be in the environment of everything that is started. */
  readonly env: Readonly<Record<string, string>>;
  /** A process group that must end with us; `drop` it once all of it is gone. */
  watch(group: number): void;
  drop(group: number): void;
  /** A directory to delete at the end. */
  remove(directory: string): void;
  /** Rejects if the guardian dies before `end`: nothing may then go on running. */
  readonly lost: Promise<never>;
  /** SIGKILL for everything that is left, then the directories; resolves when all of it is gone. */
  end(): Promise<void>;
}

/** The first argument that makes a bridge's program run as a guardian instead. */
export const guardianFlag = "--guardian";

/**
 * Starts a guardian before anything else is started. `program` is the script that runs `runGuardian` on `guardianFlag`.
 * The guardian is in a session of its own, so that ending our process group does not end it.
 * @throws `bridges.guardian-lost`
 */
export async function startGuardian(program: string): Promise<Guardian> {
  const mark = createMark();
  const args = ["--max-old-space-size=64", program, guardianFlag, mark, String(process.pid)];
  const child = spawn(process.execPath, args, {
    cwd: "/",
    detached: true,
    env: {},
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.stdin.on("error", () => {});
  const exited = Promise.race([once(child, "exit"), once(child, "error")]);
  const groups = new Set<number>();
  let ending = false;
  const lost = exited.then(async () => {
    if (ending) return new Promise<never>(() => {});
    await retireAll(mark, { groups, known: new Map(), spared: new Set([process.pid]) });
    throw toLost(child.exitCode, child.signalCode);
  });
  lost.catch(() => {});
  await Promise.race([once(child.stdout, "data"), lost]);
  const say = (line: GuardianLine): void => void child.stdin.write(`${JSON.stringify(line)}\n`);
  return {
    env: { [mark]: "1" },
    watch: (group) => {
      groups.add(group);
      say({ watch: group });
    },
    drop: (group) => {
      groups.delete(group);
      say({ drop: group });
    },
    remove: (directory) => say({ remove: directory }),
    lost,
    end: async () => {
      ending = true;
      child.stdin.end();
      await exited;
    },
  };
}

/** The name of a variable that nothing else has: what has it in its environment belongs together. */
export function createMark(): string {
  return `SEALPACK_OWNER_${randomBytes(16).toString("hex").toUpperCase()}`;
}

function toLost(code: number | null, signal: string | null): Error {
  return bridgesError("bridges.guardian-lost", {
    subject: "guardian",
    expected: "a process that outlives this one",
    got: signal ?? `exit ${code}`,
  });
}
